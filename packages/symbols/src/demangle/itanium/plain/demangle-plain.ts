/**
 * The plain way from a C++ name to its text, which nearly all names go: what they stand for is written from left to right while they are read,
 * and a reference to something seen before copies its text. It is several times as fast as to make a tree and print it.
 *
 * It gives up where text alone is not enough: expressions, conversions, types that are printed around others beyond the simplest, what depends
 * on what comes later, and names that are broken. The tree then decides, so that both give the same or the plain way gives nothing.
 */
import { parseEncoding } from './encodings.ts'
import { parseName } from './names.ts'
import { maxNameBytes, notPlain, PlainParser } from './plain-parser.ts'
import { parseTemplateArgs } from './template-args.ts'
import { parseType } from './types.ts'
import { word } from './words.ts'

const parser = new PlainParser({
  encoding: parseEncoding,
  name: parseName,
  templateArgs: parseTemplateArgs,
  type: parseType,
})

/** As `demangleItanium`; undefined also where the name is not plain. */
export function demanglePlain(name: string, isShort: boolean): string | undefined {
  // Of UTF-8 a character takes up to three bytes.
  if (name.length * 3 > maxNameBytes) return undefined
  const length = demangle(parser.bytes.write(name), isShort)
  return length < 0 ? undefined : plainText.toString('latin1', 0, length)
}

/** What `demanglePlainBytes` wrote, good until the next name. */
export const plainText = parser.text

/** The same for the bytes of a name from `start` to `end`: how long it is in `plainText`, −1 where it is not plain. */
export function demanglePlainBytes(bytes: Buffer, start: number, end: number, isShort: boolean): number {
  return end - start > maxNameBytes ? notPlain : demangle(bytes.copy(parser.bytes, 0, start, end), isShort)
}

/** Demangles the name that stands in the parser: `_Z`, or with the underscore that Mach-O puts before it `__Z`. */
function demangle(length: number, isShort: boolean): number {
  const { bytes } = parser
  const at = bytes[0] !== underscore ? 0 : bytes[1] === underscore ? 2 : 1
  if (at === 0 || at >= length || bytes[at] !== letterZ) return notPlain
  parser.start(at + 1, length)
  if (parser.encoding(isShort) === notPlain) return notPlain
  return parser.done || writeSuffix() ? parser.length : notPlain
}

const underscore = 0x5f
const letterZ = 0x5a
const open = word(' (')
const close = word(')')

/** What LLVM appends after a dot is shown in parentheses. */
function writeSuffix(): boolean {
  if (parser.peek() !== 0x2e) return false
  parser.write(open)
  if (!parser.writeFromName(parser.end - parser.at)) return false
  parser.write(close)
  return true
}
