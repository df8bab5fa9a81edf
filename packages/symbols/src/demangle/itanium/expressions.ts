import { parseFold, parseFunctionParam, parseNew, parseOperatorExpression } from './operator-expressions.ts'
import { parseLiteral } from './literals.ts'
import { expression, list, nameNode, node, parens, precedence, sequence, type Node } from './node.ts'
import { parseOperator } from './operators.ts'
import type { Parser } from './parser.ts'
import { parseSourceName } from './source-names.ts'
import { parseRequires } from './requires.ts'
import { parseTemplateArg } from './template-args.ts'
import { parseTemplateParam } from './template-params.ts'
import { parseUnresolvedName } from './unresolved-names.ts'

/** Parses `<expression>`, which occurs in template arguments, array bounds, `decltype` and constraints. */
export function parseExpression(parser: Parser): Node | undefined {
  const isGlobal = parser.skip('gs')
  const operator = parseOperator(parser)
  if (operator?.kind === 'new') return parseNew(parser, operator, isGlobal)
  if (operator) return parseOperatorExpression(parser, operator, isGlobal)
  switch (parser.peek()) {
    case 'L':
      return parseLiteral(parser)
    case 'T':
      return parseTemplateParam(parser)
    case 'f':
      return isFunctionParam(parser) ? parseFunctionParam(parser) : parseFold(parser)
    case 'u':
      return parseVendorExpression(parser)
    default:
      return parseWordExpression(parser, isGlobal)
  }
}

const isFunctionParam = (parser: Parser): boolean =>
  parser.peek(1) === 'p' || (parser.peek(1) === 'L' && parser.isDigit(2))

/** Parses the two-letter expressions that are not operators; anything else is parsed as a name. */
function parseWordExpression(parser: Parser, isGlobal: boolean): Node | undefined {
  const letters = parser.text.slice(parser.pos, parser.pos + 2)
  if (letters === 'rq' || letters === 'rQ') return parseRequires(parser)
  const parse = words[letters]
  if (!parse) return parseUnresolvedName(parser, isGlobal)
  parser.pos += 2
  return parse(parser)
}

const words: Record<string, (parser: Parser) => Node | undefined> = {
  il: (parser) => parseInitializers(parser, undefined),
  mc: parseMemberPointerConversion,
  nx: (parser) => {
    const content = parser.expression()
    return content && expression(precedence.unary, 'noexcept ', parens(content))
  },
  so: parseSubobject,
  sp: (parser) => {
    const pattern = parser.expression()
    return pattern && node('expansion', '', [pattern])
  },
  sP: (parser) => {
    const args = parser.until('E', () => parseTemplateArg(parser))
    return args && sequence('sizeof... ', parens(list(args)))
  },
  sZ: (parser) => {
    if (parser.peek() !== 'T') {
      const parameter = parseFunctionParam(parser)
      return parameter && sequence('sizeof... ', parens(parameter))
    }
    const pack = parseTemplateParam(parser)
    return pack && sequence('sizeof...', parens(node('expansion', '', [pack])))
  },
  tl: (parser) => {
    const made = parser.type()
    return made && parseInitializers(parser, made)
  },
  tr: () => nameNode('throw'),
  tw: (parser) => {
    const thrown = parser.expression()
    return thrown && sequence('throw ', thrown)
  },
}

function parseInitializers(parser: Parser, made: Node | undefined): Node | undefined {
  const values = parser.until('E', () => parseBraced(parser))
  return values && sequence(...(made ? [made] : []), '{', list(values), '}')
}

/**
 * Parses `<braced-expression>`: a value, possibly designated by a field (`.a = 1`), an index (`[0] = 1`) or a range
 * (`[0 ... 2] = 1`).
 */
function parseBraced(parser: Parser): Node | undefined {
  if (parser.skip('di')) {
    const field = parseSourceName(parser)
    return field && designate(parser, ['.', field])
  }
  if (parser.skip('dx')) {
    const index = parser.expression()
    return index && designate(parser, ['[', index, ']'])
  }
  if (!parser.skip('dX')) return parser.expression()
  const first = parser.expression()
  const last = first && parser.expression()
  return last && designate(parser, ['[', first, ' ... ', last, ']'])
}

function designate(parser: Parser, designator: (string | Node)[]): Node | undefined {
  const value = parser.nested(parseBraced)
  if (!value) return undefined
  const equals = value.text === 'designated' ? '' : ' = '
  return { ...sequence(...designator, equals, value), text: 'designated' }
}

/** Parses `so`, a pointer to a subobject as a template argument: the type, the object and the offset in it. */
function parseSubobject(parser: Parser): Node | undefined {
  const referred = parser.type()
  const object = referred && parser.expression()
  if (!object) return undefined
  const offset = parser.number(true)
  while (parser.skip('_')) parser.number()
  parser.skip('p')
  if (!parser.skip('E')) return undefined
  return sequence(object, '.<', referred, ` at offset ${offset === '' ? '0' : offset.replace('n', '-')}>`)
}

function parseMemberPointerConversion(parser: Parser): Node | undefined {
  const target = parser.type()
  const source = target && parser.expression()
  if (!source) return undefined
  parser.number(true)
  return parser.skip('E') ? expression(precedence.unary, parens(target), parens(source)) : undefined
}

/** Parses a vendor extension, `u <source-name> <template-arg>* E`; `__uuidof` takes one type or expression instead. */
function parseVendorExpression(parser: Parser): Node | undefined {
  parser.pos++
  const name = parseSourceName(parser)
  if (!name) return undefined
  const isUuid = name.text === '__uuidof' && (parser.peek() === 't' || parser.peek() === 'z')
  let args: Node[] | undefined
  if (isUuid) {
    const isType = parser.skip('t')
    if (!isType) parser.pos++
    const arg = isType ? parser.type() : parser.expression()
    args = arg && [arg]
  } else {
    args = parser.until('E', () => parseTemplateArg(parser))
  }
  return args && expression(precedence.postfix, name, parens(list(args)))
}
