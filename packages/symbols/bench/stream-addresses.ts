/**
 * Answers addresses from standard input like llvm-symbolizer: `node bench/stream-addresses.ts <lookup file> [raw]`. With `raw`, names are left
 * as the compiler wrote them, which is what llvm-gsymutil and `llvm-symbolizer --no-demangle` do.
 */
import { readSync, writeSync } from 'node:fs'
import { openLookup } from '../src/lookup/lookup.ts'

const [path = '', raw] = process.argv.slice(2)
using lookup = openLookup(path, { cacheBytes: 256 * 1024 * 1024 })
const demangled = new Map<string, string>()
// What is not used is not loaded either: a process of this length is a tenth start.
const demangle = raw === 'raw' ? undefined : (await import('../src/demangle/demangle.ts')).demangle

function toName(name: string): string {
  if (!demangle) return name
  const known = demangled.get(name)
  if (known !== undefined) return known
  const full = Buffer.from(demangle(name, { form: 'full' })).toString() // in one piece: it is written many times
  demangled.set(name, full)
  return full
}

function* readLines(): Generator<string> {
  const chunk = Buffer.alloc(64 * 1024)
  let rest = ''
  for (let count = readSync(0, chunk); count > 0; count = readSync(0, chunk)) {
    const lines = (rest + chunk.toString('latin1', 0, count)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function write(parts: string[]): void {
  const bytes = Buffer.from(parts.join(''))
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

let parts: string[] = []
for (const line of readLines()) {
  for (const { function: name, file, line: number, column } of lookup.findFrames(Number(line) - lookup.textAddress)) {
    parts.push(name === undefined ? '??' : toName(name), '\n', file ?? '??', `:${number ?? 0}:${column ?? 0}\n`)
  }
  parts.push('\n')
  if (parts.length < 4096) continue
  write(parts)
  parts = []
}
write(parts)
