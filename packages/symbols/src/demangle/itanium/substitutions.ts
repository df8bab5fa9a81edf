import { parseAbiTags } from './abi-tags.ts'
import { node, type Node } from './node.ts'
import type { Parser } from './parser.ts'

interface Special {
  name: string
  /** The template arguments that the abbreviation includes. */
  args: string
}

/** Abbreviated names of the standard library by the letter after `S`. */
const specials: Record<string, Special> = {
  a: { name: 'allocator', args: '' },
  b: { name: 'basic_string', args: '' },
  s: { name: 'string', args: '<char, std::char_traits<char>, std::allocator<char>>' },
  i: { name: 'istream', args: '<char, std::char_traits<char>>' },
  o: { name: 'ostream', args: '<char, std::char_traits<char>>' },
  d: { name: 'iostream', args: '<char, std::char_traits<char>>' },
}

/**
 * Parses `<substitution>`: an earlier part of the name (`S_`, `S0_`…) or an abbreviation of the standard library
 * (`Sa`…).
 */
export function parseSubstitution(parser: Parser): Node | undefined {
  if (!parser.skip('S')) return undefined
  const letter = parser.peek()
  if (letter >= 'a' && letter <= 'z') {
    const special = specials[letter]
    if (!special) return undefined
    parser.pos++
    const plain = node('special', letter, [`std::${special.name}`], 0, special.name)
    const tagged = parseAbiTags(parser, plain)
    return tagged === plain ? plain : parser.remember(tagged)
  }
  if (parser.skip('_')) return parser.substitutions[0]
  const index = parser.sequenceId()
  return index !== undefined && parser.skip('_') ? parser.substitutions[index + 1] : undefined
}

/** Expands an abbreviation such as `std::string` to its full template name; returns other nodes as they are. */
export function expandSpecial(scope: Node | undefined): Node | undefined {
  const special = scope?.kind === 'special' ? specials[scope.text] : undefined
  if (!special || special.args === '') return scope
  const name = `basic_${special.name}`
  return node('sequence', '', [`std::${name}${special.args}`], 0, name)
}
