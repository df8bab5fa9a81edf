import { outOfRange } from '@fairlead/invariant'

/** Bits of the key that one pass sorts by. With 11 bits the counters fit into the processor's first cache. */
const digitBits = 11
const digits = 1 << digitBits
/** The fewest values for a radix sort. Sorting fewer by comparison is faster. */
const fewest = 4096

/** Sorts the indexes 0 to `count` − 1 by their values. The sort is stable: equal values keep their order. */
export function sortByValue(values: Uint32Array, count: number): Uint32Array {
  let order = new Uint32Array(count)
  for (let index = 0; index < count; index++) order[index] = index
  if (isSorted(values, count)) return order
  if (count < fewest) return order.sort((a, b) => (values[a] ?? outOfRange()) - (values[b] ?? outOfRange()) || a - b)
  let least = values[0] ?? outOfRange()
  let most = least
  for (let index = 1; index < count; index++) {
    const value = values[index] ?? outOfRange()
    if (value < least) least = value
    else if (value > most) most = value
  }
  let other = new Uint32Array(count)
  for (let scale = 1; scale <= most - least; scale *= digits) {
    sortByDigit(values, order, other, least, scale)
    const sorted = other
    other = order
    order = sorted
  }
  return order
}

function isSorted(values: Uint32Array, count: number): boolean {
  for (let index = 1; index < count; index++) {
    if ((values[index] ?? outOfRange()) < (values[index - 1] ?? outOfRange())) return false
  }
  return true
}

/**
 * Does one pass of a radix sort: it copies the indexes of `from` into `to`, ordered by the digit at `scale` of their
 * values minus `least`. Equal digits keep the order of `from`.
 */
function sortByDigit(values: Uint32Array, from: Uint32Array, to: Uint32Array, least: number, scale: number): void {
  const shift = Math.log2(scale)
  const places = new Uint32Array(digits + 1)
  for (let at = 0; at < from.length; at++) {
    const value = (values[from[at] ?? outOfRange()] ?? outOfRange()) - least
    const next = ((value >>> shift) & (digits - 1)) + 1
    places[next] = (places[next] ?? outOfRange()) + 1
  }
  for (let digit = 1; digit <= digits; digit++)
    places[digit] = (places[digit] ?? outOfRange()) + (places[digit - 1] ?? outOfRange())
  for (let at = 0; at < from.length; at++) {
    const index = from[at] ?? outOfRange()
    const digit = (((values[index] ?? outOfRange()) - least) >>> shift) & (digits - 1)
    const place = places[digit] ?? outOfRange()
    to[place] = index
    places[digit] = place + 1
  }
}
