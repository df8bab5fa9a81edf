import { parseAbiTags } from './abi-tags.ts'
import { list, named, node, sequence, type Node } from './node.ts'
import { parseOperatorName } from './operator-names.ts'
import type { NameState, Parser } from './parser.ts'
import { parseSourceName } from './source-names.ts'
import { expandSpecial } from './substitutions.ts'
import { parseUnnamedType } from './unnamed-types.ts'

/**
 * Parses `<unqualified-name>`, the last part of a name: an identifier, operator, constructor, unnamed type or
 * structured binding.
 */
export function parseUnqualifiedName(
  parser: Parser,
  state: NameState | undefined,
  prefix: Node | undefined,
  outerModule: Node | undefined,
): Node | undefined {
  const found = parseModule(parser, outerModule)
  if (!found) return undefined
  const { module } = found
  const isFriend = prefix !== undefined && parser.skip('F')
  parser.skip('L')
  // A constructor or destructor of `std::string` repeats the full template name.
  const letter = parser.peek()
  const isMember = letter === 'C' || (letter === 'D' && parser.peek(1) !== 'C')
  const scope = isMember ? expandSpecial(prefix) : prefix
  let name = parseOwnName(parser, state, scope, module)
  if (name && module) name = named(name, name, '@', module)
  if (name) name = parseAbiTags(parser, name)
  if (!name || !scope) return name
  return isFriend ? named(name, scope, '::friend ', name) : named(name, scope, '::', name)
}

function parseOwnName(
  parser: Parser,
  state: NameState | undefined,
  scope: Node | undefined,
  module: Node | undefined,
): Node | undefined {
  if (parser.isDigit() && parser.peek() !== '0') return parseSourceName(parser)
  if (parser.peek() === 'U') return parseUnnamedType(parser, state)
  if (parser.skip('DC')) {
    const bindings = parser.until('E', () => parseSourceName(parser))
    return bindings && bindings.length > 0 ? node('brackets', '[]', [list(bindings)]) : undefined
  }
  if (parser.peek() !== 'C' && parser.peek() !== 'D') return parseOperatorName(parser, state)
  return scope && !module ? parseCtorDtor(parser, scope, state) : undefined
}

/** Parses `<module-name>` of C++20: `W <source-name>` per part, `WP` for a partition. */
export function parseModule(parser: Parser, outer?: Node): { module: Node | undefined } | undefined {
  let module = outer
  while (parser.skip('W')) {
    const separator = parser.skip('P') ? ':' : '.'
    const name = parseSourceName(parser)
    if (!name) return undefined
    if (module) module = node('module', '', [module, separator, name])
    else module = node('module', '', separator === ':' ? [separator, name] : [name])
    parser.remember(module)
  }
  return { module }
}

function parseCtorDtor(parser: Parser, scope: Node, state: NameState | undefined): Node | undefined {
  const isCtor = parser.skip('C')
  if (!isCtor) parser.pos++
  const isInherited = isCtor && parser.skip('I')
  if (!(isCtor ? '12345' : '01245').includes(parser.peek()) || parser.done) return undefined
  parser.pos++
  if (state) state.isUntyped = true
  if (isInherited && !parser.name(state)) return undefined
  return sequence(`${isCtor ? '' : '~'}${scope.baseName}`)
}
