import { parseExpression } from './expressions.ts'
import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { isDeclaration } from './template-params.ts'
import { word } from './words.ts'

const less = word('<')
const greater = word('>')
const comma = word(', ')

/**
 * Writes `<template-args>`: `I`, arguments, `E`. With `isTagged`, later template parameters refer to these arguments.
 */
export function parseTemplateArgs(parser: FastParser, isTagged: boolean): number {
  parser.at++
  if (isTagged) parser.enterLevel()
  parser.write(less)
  let isFirst = true
  while (!parser.skip(0x45)) {
    const before = parser.length
    if (!isFirst) parser.write(comma)
    const start = parser.length
    const { elementCount } = parser
    const isPack = parser.skip(0x4a)
    const shape = isPack ? parsePack(parser, isTagged) : parseTemplateArg(parser)
    if (shape === unsupported || parser.peek() === 0x51) return unsupported
    if (isTagged) parser.addArg(start, shape, isPack ? elementCount : -1)
    if (parser.length > start) isFirst = false
    else parser.length = before
  }
  parser.write(greater)
  return Shape.plain
}

/** Writes an argument pack, `J`, arguments, `E`. Each element but one that writes nothing follows a comma. */
function parsePack(parser: FastParser, isTagged: boolean): number {
  let isFirst = true
  while (!parser.skip(0x45)) {
    const before = parser.length
    if (!isFirst) parser.write(comma)
    const start = parser.length
    if (parser.peek() === 0x4a) return unsupported
    const shape = parseTemplateArg(parser)
    if (shape === unsupported) return unsupported
    if (isTagged) parser.addElement(start, shape)
    if (parser.length > start) isFirst = false
    else parser.length = before
  }
  return Shape.plain
}

function parseTemplateArg(parser: FastParser): number {
  switch (parser.peek()) {
    case 0x58: // X
      return parseExpression(parser)
    case 0x4c: // L
      return parseLiteral(parser)
    case 0x54: // T
      return isDeclaration(parser.peek(1)) ? unsupported : parser.type()
    default:
      return parser.type()
  }
}

interface Integer {
  before: Uint8Array
  after: Uint8Array
}

const integer = (before: string, after: string): Integer => ({ before: word(before), after: word(after) })

/** Integer types by letter, with the cast before a literal or the suffix after it that tells it from an `int`. */
const integers = new Map(
  Object.entries({
    c: integer('(char)', ''),
    h: integer('(unsigned char)', ''),
    s: integer('(short)', ''),
    t: integer('(unsigned short)', ''),
    i: integer('', ''),
    j: integer('', 'u'),
    l: integer('', 'l'),
    m: integer('', 'ul'),
    x: integer('', 'll'),
    y: integer('', 'ull'),
  }).map(([letter, words]) => [letter.charCodeAt(0), words]),
)
const trueWord = word('true')
const falseWord = word('false')
const open = word('(')
const close = word(')')
const minus = word('-')

/**
 * Writes `<expr-primary>`: `L`, type, value, `E` for integers, booleans and enumerators, or a function's name (`L_Z`).
 */
function parseLiteral(parser: FastParser): number {
  parser.at++
  const letter = parser.peek()
  const words = integers.get(letter)
  if (words) {
    parser.at++
    parser.write(words.before)
    const shape = parseValue(parser)
    parser.write(words.after)
    return shape
  }
  if (letter === 0x62) return parseBoolean(parser)
  if ((letter === 0x5f && parser.peek(1) === 0x5a) || letter === 0x5a) {
    parser.at += letter === 0x5f ? 2 : 1
    const shape = parser.encoding(false)
    return shape !== unsupported && parser.skip(0x45) ? shape : unsupported
  }
  // An enumerator's type is a name. The other literals are rare and take the tree.
  if (letter !== 0x4e && letter !== 0x53 && !parser.isDigit()) return unsupported
  parser.write(open)
  const shape = parser.type()
  if (shape !== Shape.plain) return unsupported
  parser.write(close)
  return parseValue(parser)
}

function parseBoolean(parser: FastParser): number {
  const digit = parser.peek(1)
  if ((digit !== 0x30 && digit !== 0x31) || parser.peek(2) !== 0x45) return unsupported
  parser.at += 3
  parser.write(digit === 0x31 ? trueWord : falseWord)
  return Shape.plain
}

/** Writes the digits of a literal up to `E`; an `n` before them means negative. */
function parseValue(parser: FastParser): number {
  if (parser.skip(0x6e)) parser.write(minus)
  const start = parser.at
  let end = start
  while (end < parser.end && parser.isDigit(end - start)) end++
  if (end === start) return unsupported
  parser.writeFromName(end - start)
  return parser.skip(0x45) ? Shape.plain : unsupported
}
