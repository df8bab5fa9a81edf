import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { writeSubstitution } from './substitutions.ts'
import { parseTemplateParam } from './template-params.ts'
import { parseQualifiers } from './types.ts'
import { parseUnqualifiedName } from './unqualified-names.ts'
import { word } from './words.ts'

const std = word('std')
const colons = word('::')

/**
 * Writes `<name>`: nested (`N`), local to a function (`Z`), or unscoped. `isDeclared` is true for the name of the
 * function itself, whose ending decides how its types are read.
 */
export function parseName(parser: FastParser, isDeclared: boolean): number {
  const letter = parser.peek()
  if (letter === 0x4e) return parseNestedName(parser, isDeclared)
  if (letter === 0x5a) return parseLocalName(parser, isDeclared)
  const start = parser.length
  let isSubstitution = false
  let shape: number
  if (letter === 0x53 && parser.peek(1) !== 0x74) {
    isSubstitution = true
    shape = writeSubstitution(parser)
  } else {
    const hasScope = letter === 0x53
    if (hasScope) {
      parser.at += 2
      parser.baseStart = parser.baseEnd = 0
      parser.write(std)
    }
    shape = parseUnqualifiedName(parser, isDeclared, hasScope, false)
  }
  if (shape === unsupported) return unsupported
  if (parser.peek() !== 0x49) return isSubstitution ? unsupported : shape
  if (isSubstitution && shape !== Shape.plain) return unsupported
  if (!isSubstitution) parser.remember(start, Shape.plain)
  const args = parser.grammar.templateArgs(parser, isDeclared)
  if (isDeclared) parser.endsWithTemplateArgs = true
  return args
}

/** Writes `<nested-name>`: `N`, qualifiers, prefixes that each qualify the next one, `E`. */
function parseNestedName(parser: FastParser, isDeclared: boolean): number {
  parser.at++
  if (parser.peek() === 0x48) return unsupported
  let qualifiers = parseQualifiers(parser)
  qualifiers |= parser.skip(0x4f) ? 16 : parser.skip(0x52) ? 8 : 0
  if (isDeclared) parser.qualifiers = qualifiers
  const start = parser.length
  let isRemembered = false
  let isAbbreviation = false
  let baseStart = 0
  let baseEnd = 0
  while (!parser.skip(0x45)) {
    if (isDeclared) parser.endsWithTemplateArgs = false
    const isFirst = parser.length === start
    const letter = parser.peek()
    if (letter === 0x53) {
      if (!isFirst) return unsupported
      const shape = writeScope(parser)
      if (shape !== Shape.plain && shape !== Shape.abbreviation) return unsupported
      isAbbreviation = shape === Shape.abbreviation
      baseStart = parser.baseStart
      baseEnd = parser.baseEnd
      isRemembered = false
      continue
    }
    if (letter === 0x49) {
      // Template arguments cannot follow template arguments.
      if (isFirst || parser.text[parser.length - 1] === 0x3e) return unsupported
      if (parser.grammar.templateArgs(parser, isDeclared) === unsupported) return unsupported
      if (isDeclared) parser.endsWithTemplateArgs = true
    } else if (letter === 0x54) {
      if (!isFirst || parseTemplateParam(parser) !== Shape.plain) return unsupported
    } else {
      parser.baseStart = baseStart
      parser.baseEnd = baseEnd
      if (parseUnqualifiedName(parser, isDeclared, !isFirst, isAbbreviation) === unsupported) return unsupported
      baseStart = parser.baseStart
      baseEnd = parser.baseEnd
    }
    isAbbreviation = false
    isRemembered = true
    parser.remember(start, Shape.plain)
    parser.skip(0x4d)
  }
  // The complete name is not a substitution by itself; if its user makes it one, the user remembers it.
  if (!isRemembered) return unsupported
  parser.substitutionCount--
  return Shape.plain
}

function writeScope(parser: FastParser): number {
  if (parser.peek(1) !== 0x74) return writeSubstitution(parser)
  parser.at += 2
  parser.baseStart = parser.baseEnd = 0
  parser.write(std)
  return Shape.plain
}

/**
 * Parses `Z` function `E` and an entity that is local to the function. String literals (`s`) and default arguments
 * (`d`) need the tree.
 */
function parseLocalName(parser: FastParser, isDeclared: boolean): number {
  parser.at++
  if (parser.encoding(false) === unsupported || !parser.skip(0x45)) return unsupported
  const letter = parser.peek()
  if (letter === 0x73 || letter === 0x64) return unsupported
  parser.write(colons)
  const { level, levelStart, levelCount } = parser
  parser.levelCount = -1
  parser.level = 0
  const shape = parseName(parser, isDeclared)
  parser.level = level
  parser.levelStart = levelStart
  parser.levelCount = levelCount
  if (shape === unsupported) return unsupported
  skipDiscriminator(parser)
  parser.baseStart = parser.baseEnd = 0
  return shape
}

/** Skips `<discriminator>`: `_3`, `__12_`, or digits at the end in names of old compilers. */
function skipDiscriminator(parser: FastParser): void {
  if (parser.isDigit()) {
    let at = parser.at
    while (at < parser.end && parser.isDigit(at - parser.at)) at++
    if (at === parser.end) parser.at = at
  } else if (parser.peek() === 0x5f) {
    if (parser.isDigit(1)) parser.at += 2
    else if (parser.peek(1) === 0x5f) {
      let ahead = 2
      while (parser.isDigit(ahead)) ahead++
      if (parser.peek(ahead) === 0x5f) parser.at += ahead + 1
    }
  }
}
