import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { parseExpansion, parseTemplateParam } from './template-params.ts'
import { parseSourceName } from './unqualified-names.ts'
import { word } from './words.ts'

const not = word('!')
const colons = word('::')

/**
 * Parses `X` expression `E`: template parameters (`T`), their expansions (`sp`) and names of templates (`sr`), which
 * may be negated (`nt`).
 */
export function parseExpression(parser: FastParser): number {
  parser.at++
  const shape = parseContent(parser)
  return shape !== unsupported && parser.skip(0x45) ? shape : unsupported
}

function parseContent(parser: FastParser): number {
  const isExpansion = parser.peek() === 0x73 && parser.peek(1) === 0x70
  if (parser.peek(isExpansion ? 2 : 0) === 0x54) {
    return isExpansion ? parseExpansion(parser, parseTemplateParam) : parseTemplateParam(parser)
  }
  if (parser.peek() === 0x6e && parser.peek(1) === 0x74) {
    parser.at += 2
    parser.write(not)
  }
  if (parser.isDigit()) return parseSimpleId(parser)
  return parser.peek() === 0x73 && parser.peek(1) === 0x72 ? parseQualifiedName(parser) : unsupported
}

/** Writes `sr <unresolved names> E <name>`, such as `is_array<T>::value`. */
function parseQualifiedName(parser: FastParser): number {
  parser.at += 2
  do {
    if (parseSimpleId(parser) === unsupported) return unsupported
    parser.write(colons)
  } while (!parser.skip(0x45))
  return parseSimpleId(parser)
}

/** Writes `<simple-id>`: an identifier, optionally with template arguments. */
function parseSimpleId(parser: FastParser): number {
  if (!parser.isDigit() || parseSourceName(parser) === unsupported) return unsupported
  return parser.peek() === 0x49 ? parser.grammar.templateArgs(parser, false) : Shape.plain
}
