import { limits } from '../limits.ts'
import { parseEncoding } from './encodings.ts'
import { parseExpression } from './expressions.ts'
import { parseName } from './names.ts'
import { sequence, type Node } from './node.ts'
import { Parser, type Grammar } from './parser.ts'
import { print } from './print/print.ts'
import { parseTemplateArgs } from './template-args.ts'
import { parseType } from './types.ts'

const grammar: Grammar = {
  encoding: parseEncoding,
  expression: parseExpression,
  name: parseName,
  templateArgs: parseTemplateArgs,
  type: parseType,
}

/** The prefix `_Z`, with up to three more underscores: Mach-O adds one (`__Z`), blocks add two. */
const prefix = /^_{1,4}Z/
const blockSuffix = /_block_invoke(?:_?\d+)?(?:\..*)?$/

export function isItaniumName(name: string): boolean {
  return prefix.test(name)
}

/**
 * Demangles a C++ name; undefined if it is not a C++ name or is malformed. The short form leaves out the result,
 * parameters and qualifiers of a function.
 */
export function demangleItanium(name: string, form: 'full' | 'short' = 'full'): string | undefined {
  const found = prefix.exec(name)
  if (!found || name.length > limits.nameLength) return undefined
  // Lengths in the name count bytes of UTF-8.
  const isAscii = /^[\0-\u007f]*$/.test(name)
  const bytes = isAscii ? name : Buffer.from(name).toString('latin1')
  const isShort = form === 'short'
  const start = found[0].length
  const root = start > 3 ? parseBlock(bytes, start, isShort) : parseMangledName(bytes, start, isShort)
  const text = root && print(root)
  return isAscii || text === undefined ? text : Buffer.from(text, 'latin1').toString()
}

/** Parses the suffix that LLVM appends after a dot, which is shown in parentheses. */
function parseMangledName(text: string, start: number, isShort: boolean): Node | undefined {
  const parser = new Parser(text, start, grammar)
  const encoding = parser.encoding(isShort)
  if (!encoding || parser.done) return encoding
  return parser.peek() === '.' ? sequence(encoding, ` (${text.slice(parser.pos)})`) : undefined
}

function parseBlock(text: string, start: number, isShort: boolean): Node | undefined {
  const suffix = blockSuffix.exec(text)
  const parser = suffix && new Parser(text.slice(0, suffix.index), start, grammar)
  const encoding = parser?.encoding(isShort)
  return encoding && parser?.done ? sequence('invocation function for block in ', encoding) : undefined
}
