import { nameNode, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/**
 * Parses `<source-name>`: a length and an identifier. The identifier of an anonymous namespace is shown as `(anonymous
 * namespace)`.
 */
export function parseSourceName(parser: Parser): Node | undefined {
  const word = parser.isDigit() ? parser.word() : ''
  if (word === '') return undefined
  return nameNode(word.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : word)
}
