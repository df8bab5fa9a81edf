import { named, node, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** `B` and a word: a version of an entity that its users must agree on. */
export function parseAbiTags(parser: Parser, tagged: Node): Node | undefined {
  let name = tagged
  while (parser.skip('B')) {
    const tag = parser.word()
    if (tag === '') return undefined
    name = named(name, node('left', '', [name]), `[abi:${tag}]`)
  }
  return name
}
