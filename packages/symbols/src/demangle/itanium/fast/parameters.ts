import { unsupported, type FastParser } from './fast-parser.ts'
import { nothing, parseListed } from './types.ts'
import { word } from './words.ts'

const open = word('(')
const close = word(')')

/** Characters that no type begins with, so that they end the parameters. */
export function isEnd(parser: FastParser): boolean {
  const letter = parser.peek()
  return parser.done || letter === 0x45 || letter === 0x2e || letter === 0x5f
}

/**
 * Writes the parameters of a function or a lambda in parentheses; `v` alone means none. Returns false if they need the
 * tree, as before a constraint.
 */
export function parseParameters(parser: FastParser): boolean {
  parser.write(open)
  if (!parser.skip(0x76)) {
    let isFirst = true
    do {
      const shape = parseListed(parser, isFirst)
      if (shape === unsupported) return false
      isFirst &&= shape === nothing
    } while (!isEnd(parser) && parser.peek() !== 0x51)
  }
  parser.write(close)
  return parser.peek() !== 0x51
}
