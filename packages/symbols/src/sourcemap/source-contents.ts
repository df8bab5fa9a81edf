import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ByteWindow } from './byte-window.ts'
import { damaged, type Part } from './format.ts'
import { type JsonRange, readText } from './json-scanner.ts'
import { maxContentBytes, maxContentsBytes, maxLineCharacters } from './limits.ts'
import type { FileWriter } from './page-writer.ts'
import { SymbolsError } from '../symbols-error.ts'

/** Some lines of a source. */
export interface SourceLines {
  /** Counted from 1. */
  firstLine: number
  /** Long lines are cut. */
  lines: string[]
}

/**
 * Compresses the text of each source, and returns rows for the table of contents: where it begins in the file and its
 * length, or 0 and 0 for a source without text. Texts beyond the limits are left out, because lookups work without.
 */
export function writeContents(
  window: ByteWindow,
  writer: FileWriter,
  contents: readonly (JsonRange | undefined)[],
): number[] {
  const rows: number[] = []
  let left = maxContentsBytes
  for (const range of contents) {
    const size = range === undefined ? 0 : range.end - range.start
    const text = range === undefined || size > Math.min(left, maxContentBytes) ? null : readContent(window, range)
    if (text === null || text === '') {
      rows.push(0, 0)
      continue
    }
    left -= size
    const compressed = zstdCompressSync(text)
    rows.push(writer.length, compressed.length)
    writer.write(compressed)
  }
  // What follows is read as numbers, so it begins at a multiple of their size.
  writer.write(Buffer.alloc((4 - (writer.length % 4)) % 4))
  return rows
}

/** A text that cannot be read is none: the map is good for its mappings. */
function readContent(window: ByteWindow, range: JsonRange): string | null {
  try {
    return readText(window, range, maxContentBytes)
  } catch (error) {
    if (error instanceof SymbolsError) return null
    throw error
  }
}

export function readContentAt(read: (offset: number, length: number) => Buffer, { offset, length }: Part): string {
  try {
    return zstdDecompressSync(read(offset, length), { maxOutputLength: maxContentBytes }).toString()
  } catch (cause) {
    throw damaged(cause)
  }
}

/** The lines of a text from `line - around` to `line + around`, counted from 1. Undefined if the text is shorter. */
export function cutLines(text: string, line: number, around: number): SourceLines | undefined {
  const firstLine = Math.max(1, line - around)
  const lines: string[] = []
  let number = 1
  for (let at = 0; at <= text.length && number <= line + around; number++) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    if (number >= firstLine) lines.push(text.slice(at, Math.min(end, at + maxLineCharacters)).replace(/\r$/, ''))
    at = end + 1
  }
  return firstLine + lines.length > line ? { firstLine, lines } : undefined
}
