import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { writeElement } from './template-params.ts'
import { word } from './words.ts'

interface Special {
  letter: number
  text: Uint8Array
  /** Whether the abbreviation stands for an instance of a class template (`std::string` is one of `basic_string`). */
  isInstance: boolean
}

const special = (letter: string, name: string, isInstance: boolean): Special => ({
  letter: letter.charCodeAt(0),
  text: word(`std::${name}`),
  isInstance,
})

const specials: Special[] = [
  special('a', 'allocator', false),
  special('b', 'basic_string', false),
  special('s', 'string', true),
  special('i', 'istream', true),
  special('o', 'ostream', true),
  special('d', 'iostream', true),
]
const stdLength = 'std::'.length

/**
 * Writes `<substitution>`: an earlier part of the name (`S_`, `S0_`…) or an abbreviation of the standard library
 * (`Sa`…).
 */
export function writeSubstitution(parser: FastParser): number {
  parser.at++
  parser.baseStart = parser.baseEnd = 0
  const letter = parser.peek()
  if (letter >= 0x61 && letter <= 0x7a) return writeSpecial(parser, letter)
  let index = 0
  if (!parser.skip(0x5f)) {
    index = sequenceId(parser)
    if (index < 0 || !parser.skip(0x5f)) return unsupported
  }
  if (index >= parser.substitutionCount) return unsupported
  const { substitutions } = parser
  const shape = substitutions[index * 3 + 2] as number
  if (shape === Shape.pack) {
    const isAtHand = substitutions[index * 3 + 1] === parser.level
    return isAtHand ? writeElement(parser, substitutions[index * 3] as number) : unsupported
  }
  if ((shape & Shape.unprintable) !== 0) return unsupported
  return parser.copy(substitutions[index * 3] as number, substitutions[index * 3 + 1] as number) ? shape : unsupported
}

function writeSpecial(parser: FastParser, letter: number): number {
  const found = specials.find((one) => one.letter === letter)
  // Tags on an abbreviation would need a substitution of their own; they are too rare for the fast path.
  if (!found || parser.peek(1) === 0x42) return unsupported
  parser.at++
  const start = parser.length
  parser.write(found.text)
  if (found.isInstance) return Shape.abbreviation
  parser.baseStart = start + stdLength
  parser.baseEnd = parser.length
  return Shape.plain
}

/** Reads `<seq-id>` up to `_`, a number of base 36 with upper-case digits: `S_` is 0 and `S0_` is 1. */
function sequenceId(parser: FastParser): number {
  const start = parser.at
  let id = 0
  for (let byte = parser.peek(); id < 1e6; byte = parser.peek()) {
    if (byte >= 0x30 && byte <= 0x39) id = id * 36 + byte - 0x30
    else if (byte >= 0x41 && byte <= 0x5a) id = id * 36 + byte - 0x37
    else break
    parser.at++
  }
  return parser.at === start ? -1 : id + 1
}
