import type { RustInput } from './rust-input.ts'

const integers = new Set('ahijlmnostxy')
const escapes = new Map([
  [9, '\\t'],
  [10, '\\n'],
  [13, '\\r'],
  [39, "\\'"],
  [92, '\\\\'],
])

/** Reads the value of a constant whose type has the letter `kind`. The input fails on one that cannot be read. */
export function readConstant(input: RustInput, kind: string): string {
  if (kind === 'b') return readBoolean(input)
  if (kind === 'c') return readCharacter(input)
  if (integers.has(kind)) return readInteger(input)
  input.fail()
  return ''
}

function readInteger(input: RustInput): string {
  const sign = input.takeIf('n') ? '-' : ''
  const digits = input.hexadecimal()
  if (digits === '') return sign
  return sign + (digits.length <= 16 ? String(BigInt(`0x${digits}`)) : `0x${digits}`)
}

function readBoolean(input: RustInput): string {
  const digits = input.hexadecimal()
  if (digits !== '0' && digits !== '1') input.fail()
  return digits === '0' ? 'false' : 'true'
}

function readCharacter(input: RustInput): string {
  const digits = input.hexadecimal()
  if (digits === '' || digits.length > 6) {
    input.fail()
    return ''
  }
  const code = Number.parseInt(digits, 16)
  const text = code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : `\\u{${digits}}`
  return `'${escapes.get(code) ?? text}'`
}
