/** Answers addresses from standard input like llvm-symbolizer: `node bench/stream-addresses.ts <lookup file>`. */
import { createInterface } from 'node:readline'
import { demangle, openLookup } from '../src/index.ts'

using lookup = openLookup(process.argv[2] ?? '')
const demangled = new Map<string, string>()
const toName = (name: string) => {
  const known = demangled.get(name)
  if (known !== undefined) return known
  const full = demangle(name, { form: 'full' })
  demangled.set(name, full)
  return full
}
let text = ''
for await (const line of createInterface({ input: process.stdin })) {
  for (const { function: name, file, line: number, column } of lookup.findFrames(Number(line) - lookup.textAddress)) {
    text += `${name === undefined ? '??' : toName(name)}\n${file ?? '??'}:${number ?? 0}:${column ?? 0}\n`
  }
  text += '\n'
  if (text.length < 1 << 16) continue
  process.stdout.write(text)
  text = ''
}
process.stdout.write(text)
