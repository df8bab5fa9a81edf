import { popBoundArguments } from './bound-generics.ts'
import { genericParam, parseGenericParam, popMember, popNestedMember } from './generics.ts'
import { branch, leaf, type, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parsePackElement, popPack, popPackExpansion, popSilPack } from './types.ts'

/**
 * Parses an archetype operator, `Q` and a letter: members of generic parameters, opaque result types and pack
 * expansions.
 */
export function parseArchetype(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'a': {
      const name = parser.pop('Identifier')
      return parser.remember(type(branch('AssociatedTypeRef', '', parser.popBareType(), name)))
    }
    case 'O':
      return branch('OpaqueReturnTypeOf', '', parser.popContext())
    case 'o':
      return parseOpaqueType(parser)
    case 'r':
      return type(leaf('Identifier', 'some'))
    case 'R':
      return parser.index() === undefined ? undefined : type(leaf('Identifier', 'some'))
    case 'x':
      return parser.remember(popMember(parser))
    case 'X':
      return parser.remember(popNestedMember(parser))
    case 'y': {
      const base = type(parseGenericParam(parser))
      return base && parser.remember(popMember(parser, base))
    }
    case 'Y': {
      const base = type(parseGenericParam(parser))
      return base && parser.remember(popNestedMember(parser, base))
    }
    case 'z':
      return parser.remember(popMember(parser, type(genericParam(0, 0))))
    case 'Z':
      return parser.remember(popNestedMember(parser, type(genericParam(0, 0))))
    case 'p':
      return popPackExpansion(parser)
    case 'e':
      return parsePackElement(parser)
    case 'P':
      return popPack(parser, '')
    case 'S':
      return popSilPack(parser)
    default:
      return undefined
  }
}

/**
 * Parses an opaque result type (`some P`): its index among those of the declaration, which lies below its generic
 * arguments on the stack.
 */
function parseOpaqueType(parser: Parser): Node | undefined {
  const index = parser.index()
  const bound = popBoundArguments(parser)
  const declaration = bound && parser.pop()
  if (!declaration || index === undefined) return undefined
  return parser.remember(type(branch('OpaqueType', '', declaration, leaf('Index', '', index))))
}
