/**
 * Answers addresses from standard input like llvm-symbolizer: `node bench/stream-addresses.ts <lookup file> [raw]`. With `raw`, names are left
 * as the compiler wrote them, which is what llvm-gsymutil and `llvm-symbolizer --no-demangle` do.
 *
 * Addresses are taken as many at a time as a read gives. They are looked up in their own order, in which each block of the file is visited
 * once while it is at hand, and answered in the order in which they came.
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

function* readLines(): Generator<string[]> {
  const chunk = Buffer.alloc(256 * 1024)
  let rest = ''
  for (let count = readSync(0, chunk); count > 0; count = readSync(0, chunk)) {
    const lines = (rest + chunk.toString('latin1', 0, count)).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}

function answer(address: number): string {
  let text = ''
  for (const { function: name, file, line, column } of lookup.findFrames(address - lookup.textAddress)) {
    text += `${name === undefined ? '??' : toName(name)}\n${file ?? '??'}:${line ?? 0}:${column ?? 0}\n`
  }
  return `${text}\n`
}

/** Answers as bytes, for as long as they are not asked for in their order. */
let bytes = Buffer.allocUnsafeSlow(16 * 1024 * 1024)
let length = 0

function append(text: string): void {
  if (length + text.length * 3 > bytes.length) {
    const wider = Buffer.allocUnsafeSlow(bytes.length * 2 + text.length * 3)
    wider.set(bytes.subarray(0, length))
    bytes = wider
  }
  length += bytes.write(text, length)
}

const output = Buffer.allocUnsafeSlow(1024 * 1024)
let waiting = 0

function write(from: Buffer): void {
  for (let at = 0; at < from.length;) at += writeSync(1, from, at)
}

function flush(): void {
  write(output.subarray(0, waiting))
  waiting = 0
}

for (const lines of readLines()) {
  const addresses = Float64Array.from(lines, Number)
  const order = Uint32Array.from(lines.keys()).sort((a, b) => (addresses[a] as number) - (addresses[b] as number))
  const ends = new Float64Array(lines.length)
  const starts = new Float64Array(lines.length)
  length = 0
  for (const index of order) {
    starts[index] = length
    append(answer(addresses[index] as number))
    ends[index] = length
  }
  for (const [index, start] of starts.entries()) {
    const end = ends[index] as number
    if (waiting + end - start > output.length) flush()
    if (end - start > output.length) write(bytes.subarray(start, end))
    else waiting += bytes.copy(output, waiting, start, end)
  }
}
flush()
