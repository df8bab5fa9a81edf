/**
 * Answers addresses from standard input like llvm-symbolizer: `node bench/stream-addresses.ts <lookup file> [linkage]`.
 * With `linkage`, names stay mangled, as in the output of llvm-gsymutil and `llvm-symbolizer --no-demangle`.
 */
import { readSync, writeSync } from 'node:fs'
import { openLookup } from '../src/lookup/lookup.ts'

const [path = '', names] = process.argv.slice(2)
using lookup = openLookup(path, {
  names: names === 'linkage' ? 'linkage' : 'full',
  cacheBytes: 512 * 1024 * 1024,
})

function* readLines(): Generator<string[]> {
  const chunk = Buffer.alloc(64 * 1024)
  let rest = ''
  for (let count = readSync(0, chunk); count > 0; count = readSync(0, chunk)) {
    const lines = (rest + chunk.toString('latin1', 0, count)).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}

for (const lines of readLines()) {
  for (const text of lookup.formatFramesOf(lines.map((line) => Number(line) - lookup.textAddress))) {
    for (let at = 0; at < text.length;) at += writeSync(1, text, at)
  }
}
