import { notPlain, type PlainParser, Shape } from './plain-parser.ts'
import { parseExpansion, parseTemplateParam } from './template-params.ts'
import { parseSourceName } from './unqualified-names.ts'
import { word } from './words.ts'

const not = word('!')
const colons = word('::')

/**
 * Parses `X` expression `E`: template parameters (`T`), their expansions (`sp`) and names of templates (`sr`), which
 * may be negated (`nt`).
 */
export function parseExpression(parser: PlainParser): number {
  parser.at++
  const shape = parseContent(parser)
  return shape !== notPlain && parser.skip(0x45) ? shape : notPlain
}

function parseContent(parser: PlainParser): number {
  const isExpansion = parser.peek() === 0x73 && parser.peek(1) === 0x70
  if (parser.peek(isExpansion ? 2 : 0) === 0x54) {
    return isExpansion ? parseExpansion(parser, parseTemplateParam) : parseTemplateParam(parser)
  }
  if (parser.peek() === 0x6e && parser.peek(1) === 0x74) {
    parser.at += 2
    parser.write(not)
  }
  if (parser.isDigit()) return parseSimpleId(parser)
  return parser.peek() === 0x73 && parser.peek(1) === 0x72 ? parseQualifiedName(parser) : notPlain
}

/** `sr` names `E` and the name in them: `is_array<T>::value`. */
function parseQualifiedName(parser: PlainParser): number {
  parser.at += 2
  do {
    if (parseSimpleId(parser) === notPlain) return notPlain
    parser.write(colons)
  } while (!parser.skip(0x45))
  return parseSimpleId(parser)
}

/** An identifier, with template arguments where it is a template. */
function parseSimpleId(parser: PlainParser): number {
  if (!parser.isDigit() || parseSourceName(parser) === notPlain) return notPlain
  return parser.peek() === 0x49 ? parser.grammar.templateArgs(parser, false) : Shape.plain
}
