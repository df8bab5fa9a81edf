import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { word } from './words.ts'
import { writeSubstitution } from './substitutions.ts'
import { parseExpansionType, parseParamType } from './template-params.ts'

const constWord = word(' const')
const volatileWord = word(' volatile')
const restrictWord = word(' restrict')
const star = word('*')
const ampersand = word('&')

/** Writes `<type>` and returns its shape. */
export function parseType(parser: FastParser): number {
  const letter = parser.peek()
  const builtin = parser.words.builtin[letter]
  if (builtin) {
    parser.at++
    parser.write(builtin)
    return Shape.plain
  }
  const start = parser.length
  switch (letter) {
    case 0x53: // S
      if (parser.peek(1) !== 0x74) return parseSubstitutedType(parser)
      break
    case 0x44: // D
      return parseLongType(parser)
    case 0x50: // P
    case 0x52: // R
    case 0x4f: // O
      return parser.remember(start, parseWrapped(parser, letter))
    case 0x4b: // K
    case 0x56: // V
    case 0x72: // r
      return parser.remember(start, parseQualified(parser))
    case 0x46: // F
      return parser.remember(start, parseFunction(parser, undefined))
    case 0x41: // A
      return parser.remember(start, parseArray(parser, undefined))
    case 0x54: // T
      return parseParamType(parser)
    case 0x43: // C
    case 0x47: // G
    case 0x4d: // M
    case 0x55: // U
    case 0x75: // u
      return unsupported
    default:
      break
  }
  return parser.remember(start, parser.grammar.name(parser, false))
}

/** Writes `<substitution>` as a type, with template arguments if it is a template. */
function parseSubstitutedType(parser: FastParser): number {
  const start = parser.length
  const shape = writeSubstitution(parser)
  if (shape === unsupported || parser.peek() !== 0x49) return shape
  if (shape !== Shape.plain && shape !== Shape.abbreviation) return unsupported
  return parser.remember(start, parser.grammar.templateArgs(parser, false))
}

/**
 * Writes the builtin types of `D` and a letter, and pack expansions. The fast path supports no other types with `D`.
 */
function parseLongType(parser: FastParser): number {
  const letter = parser.peek(1)
  if (letter === 0x70) return parseExpansionType(parser)
  const builtin = parser.words.longBuiltin[letter]
  if (!builtin) return unsupported
  parser.at += 2
  parser.write(builtin)
  return Shape.plain
}

/**
 * Parses `P`, a pointer, or `R` and `O`, references. Several references collapse into one, which is `&&` only if all of
 * them are.
 */
function parseWrapped(parser: FastParser, letter: number): number {
  parser.at++
  const symbol = letter === 0x50 ? star : ampersand
  const next = parser.peek()
  if (next === 0x46 || next === 0x41) {
    const symbols = letter === 0x4f ? [symbol, symbol] : [symbol]
    const start = parser.length
    const shape = next === 0x46 ? parseFunction(parser, symbols) : parseArray(parser, symbols)
    if (shape === unsupported) return unsupported
    // The function or array type is a substitution, but its text occurs nowhere by itself.
    parser.remember(start, Shape.unprintable)
    return Shape.hasRight
  }
  const inner = parser.type()
  if (inner === unsupported || (inner & (Shape.hasRight | Shape.unprintable)) !== 0) return unsupported
  if (letter === 0x50) {
    parser.write(star)
    return Shape.plain
  }
  return writeReference(parser, letter === 0x4f, inner & (Shape.lvalueReference | Shape.rvalueReference))
}

function writeReference(parser: FastParser, isRvalue: boolean, inner: number): number {
  if (inner === Shape.lvalueReference) return inner
  // The inner reference is a substitution whose text is remembered with both ampersands.
  if (inner === Shape.rvalueReference) return isRvalue ? inner : unsupported
  parser.write(ampersand)
  if (!isRvalue) return Shape.lvalueReference
  parser.write(ampersand)
  return Shape.rvalueReference
}

/** Reads `<CV-qualifiers>`: `r` (restrict), `V` (volatile) and `K` (const) in this order, as the bits 4, 2 and 1. */
export function parseQualifiers(parser: FastParser): number {
  const isRestrict = parser.skip(0x72)
  const isVolatile = parser.skip(0x56)
  const isConst = parser.skip(0x4b)
  return (isRestrict ? 4 : 0) | (isVolatile ? 2 : 0) | (isConst ? 1 : 0)
}

export function writeQualifiers(parser: FastParser, qualifiers: number): void {
  if ((qualifiers & 1) !== 0) parser.write(constWord)
  if ((qualifiers & 2) !== 0) parser.write(volatileWord)
  if ((qualifiers & 4) !== 0) parser.write(restrictWord)
}

function parseQualified(parser: FastParser): number {
  const qualifiers = parseQualifiers(parser)
  const next = parser.peek()
  // Qualifiers of a function type are those of a member function and are printed after its parameters.
  if (next === 0x46 || (next === 0x44 && parser.words.longBuiltin[parser.peek(1)] === undefined)) return unsupported
  const inner = parser.type()
  if (inner === unsupported || (inner & (Shape.hasRight | Shape.unprintable)) !== 0) return unsupported
  writeQualifiers(parser, qualifiers)
  return Shape.plain
}

const open = word('(')
const spaceOpen = word(' (')
const space = word(' ')
const comma = word(', ')
const close = word(')')

/**
 * Writes `<function-type>`: `F`, result, parameters, `E`. `symbols` are written between result and parameters, as in
 * `int (*)(char)`.
 */
function parseFunction(parser: FastParser, symbols: Uint8Array[] | undefined): number {
  parser.at++
  parser.skip(0x59)
  const result = parser.type()
  if (result === unsupported || (result & (Shape.hasRight | Shape.unprintable)) !== 0) return unsupported
  parser.write(space)
  if (symbols) {
    parser.write(open)
    for (const symbol of symbols) parser.write(symbol)
    parser.write(close)
  }
  parser.write(open)
  let isFirst = true
  while (!parser.skip(0x45)) {
    if (parser.skip(0x76)) continue
    const letter = parser.peek()
    if ((letter === 0x52 || letter === 0x4f) && parser.peek(1) === 0x45) return unsupported
    const shape = parseListed(parser, isFirst)
    if (shape === unsupported) return unsupported
    isFirst &&= shape === nothing
  }
  parser.write(close)
  return Shape.hasRight
}

/** The result of `parseListed` if the type writes nothing. */
export const nothing = -2

/** Writes a type in a list after its comma. The comma is removed if the type writes nothing (an empty pack). */
export function parseListed(parser: FastParser, isFirst: boolean): number {
  const before = parser.length
  if (!isFirst) parser.write(comma)
  const start = parser.length
  const shape = parser.type()
  if (shape === unsupported || parser.length > start) return shape
  parser.length = before
  return nothing
}

const spaceBracket = word(' [')
const bracket = word('[')
const closeBracket = word(']')

/** Writes `<array-type>`: `A`, a number, `_`, the element type. */
function parseArray(parser: FastParser, symbols: Uint8Array[] | undefined): number {
  parser.at++
  const sizeAt = parser.at
  while (parser.isDigit()) parser.at++
  const digits = parser.at - sizeAt
  if (digits === 0 || !parser.skip(0x5f)) return unsupported
  const element = parser.type()
  if (element === unsupported || (element & (Shape.hasRight | Shape.unprintable)) !== 0) return unsupported
  if (symbols) {
    parser.write(spaceOpen)
    for (const symbol of symbols) parser.write(symbol)
    parser.write(close)
  }
  parser.write(parser.text[parser.length - 1] === 0x5d ? bracket : spaceBracket)
  const after = parser.at
  parser.at = sizeAt
  parser.writeFromName(digits)
  parser.at = after
  parser.write(closeBracket)
  return Shape.hasRight
}
