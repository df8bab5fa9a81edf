import { outOfRange } from '@fairlead/invariant'

const surrogates = { first: 0xd800, last: 0xdfff }
const highest = 0x10ffff

/**
 * Returns the lowest text that is greater than every text with this prefix, where texts are compared by code points, as
 * both databases compare UTF-8 byte by byte. Undefined when there is none, as for the empty prefix.
 */
export function toPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? outOfRange())
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === highest) continue
    const next = last + 1 === surrogates.first ? surrogates.last + 1 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return undefined
}
