/**
 * The fast path of the C++ demangler, which nearly all names take. It writes the text from left to right while it reads
 * the name; a substitution copies the text that it refers to. That is several times as fast as building and printing a
 * tree.
 *
 * It gives up if text alone is not enough: for most expressions and conversions, for types that are printed around
 * other types, for references to later parts of the name, and for malformed names. The tree then decides. The fast path
 * never gives another answer than the tree.
 */
import { parseEncoding } from './encodings.ts'
import { parseName } from './names.ts'
import { maxNameBytes, unsupported, FastParser } from './fast-parser.ts'
import { parseTemplateArgs } from './template-args.ts'
import { parseType } from './types.ts'
import { word } from './words.ts'

const grammar = { encoding: parseEncoding, name: parseName, templateArgs: parseTemplateArgs, type: parseType }

/** The parser is made for the first name, because its buffers take some megabytes. */
let madeParser: FastParser | undefined

function requireParser(): FastParser {
  return (madeParser ??= new FastParser(grammar))
}

/** Demangles a C++ name; undefined if the name is malformed or needs the tree. */
export function demangleFast(name: string, isShort: boolean): string | undefined {
  // A UTF-16 unit takes up to three bytes of UTF-8.
  if (name.length * 3 > maxNameBytes) return undefined
  const parser = requireParser()
  const length = demangle(parser, parser.bytes.write(name), isShort)
  return length < 0 ? undefined : parser.text.toString('latin1', 0, length)
}

/** The output of `demangleFastBytes`, valid until the next name. */
export function viewFastText(): Buffer {
  return requireParser().text
}

/**
 * Demangles the name in `bytes` from `start` to `end` into the shared output buffer, and returns the length of the
 * text; −1 if the name is malformed or needs the tree.
 */
export function demangleFastBytes(bytes: Buffer, start: number, end: number, isShort: boolean): number {
  if (end - start > maxNameBytes) return unsupported
  const parser = requireParser()
  return demangle(parser, bytes.copy(parser.bytes, 0, start, end), isShort)
}

/**
 * Demangles the name in the parser's buffer. It begins with `_Z`, or with `__Z` because Mach-O puts an underscore
 * before symbols.
 */
function demangle(parser: FastParser, length: number, isShort: boolean): number {
  const { bytes } = parser
  const at = bytes[0] !== underscore ? 0 : bytes[1] === underscore ? 2 : 1
  if (at === 0 || at >= length || bytes[at] !== letterZ) return unsupported
  parser.start(at + 1, length)
  if (parser.encoding(isShort) === unsupported) return unsupported
  return parser.done || writeSuffix(parser) ? parser.length : unsupported
}

const underscore = 0x5f
const letterZ = 0x5a
const open = word(' (')
const close = word(')')

/** Writes the suffix that LLVM appends after a dot, in parentheses. */
function writeSuffix(parser: FastParser): boolean {
  if (parser.peek() !== 0x2e) return false
  parser.write(open)
  if (!parser.writeFromName(parser.end - parser.at)) return false
  parser.write(close)
  return true
}
