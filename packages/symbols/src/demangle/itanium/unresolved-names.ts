import { parseDecltype } from './compound-types.ts'
import { parseOperatorName } from './operator-names.ts'
import { parseSourceName } from './source-names.ts'
import { named, node, sequence, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseSubstitution } from './substitutions.ts'
import { parseTemplateParam } from './template-params.ts'

/**
 * Parses `<unresolved-name>`, which is looked up when the template is instantiated: `x`, `::x`, `T::x`, `A<T>::B::x`.
 */
export function parseUnresolvedName(parser: Parser, isGlobal: boolean): Node | undefined {
  if (parser.skip('srN')) {
    const scope = parseUnresolvedScope(parser)
    const qualified = scope && parseLevels(parser, scope)
    return qualified && parseMember(parser, qualified)
  }
  if (!parser.skip('sr')) {
    const base = parseBaseName(parser)
    return base && isGlobal ? named(base, '::', base) : base
  }
  if (!parser.isDigit()) {
    const scope = parseUnresolvedScope(parser)
    return scope && parseMember(parser, scope)
  }
  const first = parseSimpleId(parser)
  const qualified = first && parseLevels(parser, isGlobal ? named(first, '::', first) : first)
  return qualified && parseMember(parser, qualified)
}

function parseMember(parser: Parser, scope: Node): Node | undefined {
  const base = parseBaseName(parser)
  return base && named(base, scope, '::', base)
}

/** Parses simple names up to `E`; each one qualifies the next. */
function parseLevels(parser: Parser, outer: Node): Node | undefined {
  let scope = outer
  while (!parser.skip('E')) {
    const level = parseSimpleId(parser)
    if (!level) return undefined
    scope = named(level, scope, '::', level)
  }
  return scope
}

function parseUnresolvedScope(parser: Parser): Node | undefined {
  const scope = parseUnresolvedType(parser)
  return scope && withArgs(parser, scope)
}

function parseUnresolvedType(parser: Parser): Node | undefined {
  if (parser.peek() === 'T') return parser.remember(parseTemplateParam(parser))
  if (parser.peek() === 'D') return parser.remember(parseDecltype(parser))
  return parseSubstitution(parser)
}

function parseSimpleId(parser: Parser): Node | undefined {
  const name = parseSourceName(parser)
  return name && withArgs(parser, name)
}

function withArgs(parser: Parser, name: Node): Node | undefined {
  if (parser.peek() !== 'I') return name
  const args = parser.templateArgs()
  return args && named(name, name, args)
}

/** Parses `<base-unresolved-name>`: a name, an operator (`on`) or a destructor (`dn`). */
function parseBaseName(parser: Parser): Node | undefined {
  if (parser.isDigit()) return parseSimpleId(parser)
  if (parser.skip('dn')) {
    const destroyed = parser.isDigit() ? parseSimpleId(parser) : parseUnresolvedType(parser)
    return destroyed && sequence('~', node('left', '', [destroyed]))
  }
  parser.skip('on')
  const operator = parseOperatorName(parser, undefined)
  return operator && withArgs(parser, operator)
}
