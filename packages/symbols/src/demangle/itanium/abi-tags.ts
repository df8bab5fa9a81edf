import { named, node, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Parses `<abi-tags>`, a `B` and a source name each. A tag marks a version of an entity's binary interface. */
export function parseAbiTags(parser: Parser, tagged: Node): Node | undefined {
  let name = tagged
  while (parser.skip('B')) {
    const tag = parser.word()
    if (tag === '') return undefined
    name = named(name, node('left', '', [name]), `[abi:${tag}]`)
  }
  return name
}
