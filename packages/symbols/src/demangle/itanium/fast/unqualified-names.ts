import { parseParameters } from './parameters.ts'
import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { isDeclaration } from './template-params.ts'
import { word } from './words.ts'

const colons = word('::')
const abi = word('[abi:')
const bracket = word(']')

/**
 * Parses the last part of a name. It follows `::` if the name has a scope, which was just written and whose base the
 * parser knows.
 */
export function parseUnqualifiedName(
  parser: FastParser,
  isDeclared: boolean,
  hasScope: boolean,
  isAbbreviation: boolean,
): number {
  if (hasScope) {
    parser.write(colons)
    if (parser.peek() === 0x46) return unsupported
  }
  parser.skip(0x4c)
  const letter = parser.peek()
  let shape: number
  if (letter >= 0x31 && letter <= 0x39) shape = parseSourceName(parser)
  else if (letter === 0x55) shape = parseUnnamedType(parser, isDeclared)
  else if (letter === 0x43 || letter === 0x44) {
    shape = hasScope && !isAbbreviation ? parseCtorDtor(parser, isDeclared, letter === 0x43) : unsupported
  } else shape = parseOperatorName(parser, isDeclared)
  while (shape !== unsupported && parser.skip(0x42)) shape = parseAbiTag(parser)
  return shape
}

const anonymousMark = word('_GLOBAL__N')
const anonymous = word('(anonymous namespace)')

/**
 * Writes `<source-name>`: a length and an identifier. The identifier of an anonymous namespace is shown as `(anonymous
 * namespace)`.
 */
export function parseSourceName(parser: FastParser): number {
  const length = parser.number()
  if (length <= 0 || length > parser.end - parser.at) return unsupported
  const start = parser.length
  if (!parser.writeFromName(length)) return unsupported
  if (length >= anonymousMark.length && isAnonymous(parser, start)) {
    parser.length = start
    parser.write(anonymous)
  }
  parser.baseStart = start
  parser.baseEnd = parser.length
  return Shape.plain
}

function isAnonymous({ text }: FastParser, start: number): boolean {
  for (let index = 0; index < anonymousMark.length; index++) {
    if (text[start + index] !== anonymousMark[index]) return false
  }
  return true
}

function parseAbiTag(parser: FastParser): number {
  const length = parser.number()
  if (length <= 0 || length > parser.end - parser.at) return unsupported
  parser.write(abi)
  if (!parser.writeFromName(length)) return unsupported
  parser.write(bracket)
  return Shape.plain
}

const conversion = word('operator ')

function parseOperatorName(parser: FastParser, isDeclared: boolean): number {
  if (parser.peek() === 0x63 && parser.peek(1) === 0x76) return parseConversion(parser, isDeclared)
  const name = parser.words.operator[parser.peek() * 128 + parser.peek(1)]
  if (!name) return unsupported
  parser.at += 2
  parser.baseStart = parser.length
  parser.write(name)
  parser.baseEnd = parser.length
  return Shape.plain
}

/** Writes a conversion operator, `cv <type>`. The fast path supports types of one letter only. */
function parseConversion(parser: FastParser, isDeclared: boolean): number {
  const target = parser.words.builtin[parser.peek(2)]
  if (!target) return unsupported
  parser.at += 3
  if (isDeclared) parser.isUntyped = true
  parser.write(conversion)
  parser.write(target)
  parser.baseStart = parser.baseEnd = 0
  return Shape.plain
}

const tilde = word('~')

function parseCtorDtor(parser: FastParser, isDeclared: boolean, isCtor: boolean): number {
  const { baseStart, baseEnd } = parser
  const isInherited = isCtor && parser.peek(1) === 0x49
  if (isInherited) parser.at++
  const digit = parser.peek(1)
  const isKnown = isCtor ? digit >= 0x31 && digit <= 0x35 : digit === 0x30 || digit === 0x31 || digit === 0x32
  if (!isKnown || baseStart === baseEnd) return unsupported
  parser.at += 2
  if (isDeclared) parser.isUntyped = true
  if (isInherited && !skipName(parser, isDeclared)) return unsupported
  if (!isCtor) parser.write(tilde)
  parser.baseStart = parser.baseEnd = 0
  return parser.copy(baseStart, baseEnd) ? Shape.plain : unsupported
}

/** Reads a name without writing it. Its substitutions then have no text. */
function skipName(parser: FastParser, isDeclared: boolean): boolean {
  const { length, substitutionCount, level } = parser
  if (parser.grammar.name(parser, isDeclared) === unsupported) return false
  // Template arguments that were not written cannot be referred to.
  if (parser.level !== level) parser.levelCount = 0
  parser.length = length
  for (let index = substitutionCount; index < parser.substitutionCount; index++) {
    parser.substitutions[index * 3 + 2] = Shape.unprintable
  }
  return true
}

const quote = word("'")
const unnamed = word("'unnamed")
const lambda = word("'lambda")

/**
 * Writes `<unnamed-type-name>`: `Ut` for a type without a name, `Ul` for a lambda without explicit template parameters.
 */
function parseUnnamedType(parser: FastParser, isDeclared: boolean): number {
  if (isDeclared) parser.levelCount = -1
  const letter = parser.peek(1)
  parser.at += 2
  parser.baseStart = parser.baseEnd = 0
  if (letter === 0x74) return writeNumbered(parser, unnamed)
  return letter === 0x6c ? parseLambda(parser) : unsupported
}

/** Writes a lambda. Its number comes last in the mangled name but is written before the parameters. */
function parseLambda(parser: FastParser): number {
  if (parser.isGeneric || (parser.peek() === 0x54 && isDeclaration(parser.peek(1)))) return unsupported
  const start = parser.length
  parser.isGeneric = parser.levelCount < 0
  const isRead = parseParameters(parser)
  parser.isGeneric = false
  if (!isRead || !parser.skip(0x45)) return unsupported
  const middle = parser.length
  const shape = writeNumbered(parser, lambda)
  if (shape !== unsupported) parser.swap(start, middle)
  parser.baseStart = parser.baseEnd = 0
  return shape
}

function writeNumbered(parser: FastParser, name: Uint8Array): number {
  parser.write(name)
  let digits = 0
  while (parser.isDigit(digits)) digits++
  parser.writeFromName(digits)
  parser.write(quote)
  return parser.skip(0x5f) ? Shape.plain : unsupported
}
