/**
 * Parser of a JSON array of strings. It holds only what it returns, however the text is nested or shaped, because it
 * ends at the first byte of anything else.
 */
import { SymbolsError } from '../symbols-error.ts'

const maxStrings = 2_000_000
const longestString = 64 * 1024

const [quote, backslash, comma, open, close] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d]

/** Throws `malformed-dart-map` for other JSON and for other text, `too-large` beyond a limit. */
export function parseStrings(bytes: Buffer): string[] {
  const strings: string[] = []
  let at = skipSpace(bytes, bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0)
  if (bytes[at] !== open) throw malformed(at)
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === close && skipSpace(bytes, at + 1) === bytes.length) return strings
  for (;;) {
    const end = findEnd(bytes, at)
    strings.push(parseString(bytes, at, end))
    if (strings.length > maxStrings) {
      throw new SymbolsError('too-large', `An obfuscation map may have ${maxStrings} strings.`)
    }
    at = skipSpace(bytes, end)
    const mark = bytes[at]
    at = skipSpace(bytes, at + 1)
    if (mark === close && at === bytes.length) return strings
    if (mark !== comma) throw malformed(at)
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** The offset behind the string at `start`. */
function findEnd(bytes: Buffer, start: number): number {
  if (bytes[start] !== quote) throw malformed(start)
  for (let at = start + 1; at < bytes.length; at++) {
    if (at - start > longestString) throw new SymbolsError('too-large', `A name may have ${longestString} bytes.`)
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at + 1
  }
  throw malformed(start)
}

function parseString(bytes: Buffer, start: number, end: number): string {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return String(value)
  } catch (cause) {
    throw new SymbolsError('malformed-dart-map', `The string at byte ${start} is damaged.`, { cause })
  }
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function malformed(at: number): SymbolsError {
  return new SymbolsError('malformed-dart-map', `It is no array of strings at byte ${at}.`)
}
