import { formatFloat } from './float-literals.ts'
import { nameNode, node, parens, sequence, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseUnnamedType } from './unnamed-types.ts'

/** Integer types by letter, with the suffix or cast that tells their literals from those of `int`. */
const integers: Record<string, string> = {
  w: '(wchar_t)',
  c: '(char)',
  a: '(signed char)',
  h: '(unsigned char)',
  s: '(short)',
  t: '(unsigned short)',
  i: '',
  j: 'u',
  l: 'l',
  m: 'ul',
  x: 'll',
  y: 'ull',
  n: '(__int128)',
  o: '(unsigned __int128)',
}

/**
 * Parses `<expr-primary>`: `L`, type, value, `E` for numbers and enumerators; strings (by their type only), `nullptr`,
 * lambdas and names of functions have forms of their own.
 */
export function parseLiteral(parser: Parser): Node | undefined {
  if (!parser.skip('L')) return undefined
  const letter = parser.peek()
  const integer = integers[letter]
  if (integer !== undefined) {
    parser.pos++
    const value = parseValue(parser)
    if (value === undefined) return undefined
    return nameNode(integer.startsWith('(') ? integer + value : value + integer)
  }
  switch (letter) {
    case 'b':
      if (parser.skip('b0E')) return nameNode('false')
      return parser.skip('b1E') ? nameNode('true') : undefined
    case 'f':
    case 'd':
    case 'e':
      return parseFloat(parser, letter)
    case '_': {
      const encoding = parser.skip('_Z') ? parser.encoding() : undefined
      return encoding && parser.skip('E') ? encoding : undefined
    }
    case 'A': {
      const stringType = parser.type()
      return stringType && parser.skip('E') ? sequence('"<', stringType, '>"') : undefined
    }
    case 'D':
      if (!parser.skip('Dn')) return undefined
      parser.skip('0')
      return parser.skip('E') ? nameNode('nullptr') : undefined
    case 'T':
      return undefined
    case 'U':
      return parseLambdaLiteral(parser)
    default: {
      const enumType = parser.type()
      if (!enumType) return undefined
      const value = parseValue(parser)
      return value === undefined ? undefined : sequence(parens(enumType), value)
    }
  }
}

function parseValue(parser: Parser): string | undefined {
  const digits = parser.number(true)
  return digits !== '' && parser.skip('E') ? digits.replace('n', '-') : undefined
}

/**
 * The number of hexadecimal digits of a floating-point value, which are its bytes with the most significant one first.
 */
const floatDigits = { f: 8, d: 16, e: 20 }

function parseFloat(parser: Parser, letter: 'f' | 'd' | 'e'): Node | undefined {
  const start = parser.pos + 1
  const digits = parser.text.slice(start, start + floatDigits[letter])
  if (digits.length < floatDigits[letter] || !/^[\da-f]+$/.test(digits)) return undefined
  parser.pos = start + digits.length
  return parser.skip('E') ? nameNode(formatFloat(digits, letter)) : undefined
}

/** Parses a lambda as an argument, which is shown by its declarator: `[](int){...}`. */
function parseLambdaLiteral(parser: Parser): Node | undefined {
  if (parser.peek(1) !== 'l') return undefined
  const closure = parseUnnamedType(parser, undefined)
  if (!closure || !parser.skip('E')) return undefined
  return node('sequence', '', ['[]', closure.parts[1] ?? '', '{...}'])
}
