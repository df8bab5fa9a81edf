import type { ReportImage } from './crash-report.ts'
import { maxNameLength } from './limits.ts'
import { toUuid } from './uuid.ts'

const architectures = new Set('arm64 arm64e arm64_32 armv6 armv7 armv7s armv7k i386 x86_64 x86_64h'.split(' '))
const longestLine = 8192

/**
 * Parses a line of the list of binary images:
 *   `0x104d48000 - 0x104d67fff My Shop arm64  <4c4c…> /path`
 *   macOS: `0x100000000 - 0x100003fff +com.example.shop (1.0 - 1) <4C4C-…> /path`
 * The architecture may be missing, and the end may be `???`.
 */
export function parseTextImage(line: string, architecture: string | null): ReportImage | undefined {
  if (line.length > longestLine) return undefined
  const range = /^\s{0,100}(0x[0-9a-fA-F]{1,16})\s{1,100}-\s{1,100}(0x[0-9a-fA-F]{1,16}|\?\?\?)\s/.exec(line)
  if (!range) return undefined
  const rest = line.slice(range[0].length)
  const open = rest.indexOf('<')
  const close = rest.indexOf('>', open)
  const words = (open < 0 ? rest : rest.slice(0, open)).trim().split(/\s+/)
  const named = architectures.has(words.at(-1) ?? '') ? (words.pop() ?? null) : null
  const base = Number(range[1])
  return {
    name: words.join(' ').replace(/^\+/, '').slice(0, maxNameLength),
    uuid: open >= 0 && close > open ? toUuid(rest.slice(open + 1, close)) : null,
    architecture: named ?? architecture,
    path:
      (close < 0
        ? ''
        : rest
            .slice(close + 1)
            .trim()
            .slice(0, maxNameLength)) || null,
    base,
    end: range[2] === '???' ? Number.POSITIVE_INFINITY : Number(range[2]) + 1,
  }
}

/** The architecture that a line `Code Type:` names. */
export function toArchitecture(codeType: string): string | null {
  const known: Record<string, string> = { 'ARM-64': 'arm64', 'X86-64': 'x86_64', ARM: 'armv7', X86: 'i386' }
  return known[codeType.trim().split(/[\s(]/)[0]?.toUpperCase() ?? ''] ?? null
}
