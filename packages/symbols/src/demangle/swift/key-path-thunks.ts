import { branch, leaf, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/**
 * Parses a getter, setter or method thunk of a key path: the declaration, a generic signature if it has one, then
 * types.
 */
export function parseKeyPathThunk(parser: Parser, letter: 'K' | 'k'): Node | undefined {
  let words = letter === 'K' ? 'getter for ' : 'setter for '
  if (parser.skip('mu')) words = 'unapplied method '
  else if (parser.skip('MA')) words = 'applied method '
  const serialized = parser.skip('q') ? [leaf('Serialized')] : []
  const types = popAllTypes(parser)
  const signature = parser.pop('DependentGenericSignature')
  const declaration = parser.pop()
  if (types.length === 0) return undefined
  const parts = [...[signature].filter((node) => node !== undefined), ...types, ...serialized]
  return branch('KeyPathThunk', `key path ${words}`, declaration, ...parts)
}

/**
 * Parses the equality or hash function of a key path's subscript indices: their types, and a generic signature if it
 * has one.
 */
export function parseKeyPathIndexThunk(parser: Parser, letter: 'H' | 'h'): Node | undefined {
  parser.skip('q')
  const signature = parser.pop('DependentGenericSignature')
  const types = popAllTypes(parser)
  if (parser.stack.length > 0 || (!signature && types.length === 0)) return undefined
  const words = `key path index ${letter === 'H' ? 'equality' : 'hash'} operator for `
  return branch('KeyPathIndexThunk', words, ...types, ...[signature].filter((node) => node !== undefined))
}

function popAllTypes(parser: Parser): Node[] {
  const types: Node[] = []
  for (let node = parser.pop('Type'); node; node = parser.pop('Type')) types.push(node)
  return types.reverse()
}
