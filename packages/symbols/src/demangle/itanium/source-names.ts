import { nameNode, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** An identifier after its length; that of an anonymous namespace is made up. */
export function parseSourceName(parser: Parser): Node | undefined {
  const word = parser.isDigit() ? parser.word() : ''
  if (word === '') return undefined
  return nameNode(word.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : word)
}
