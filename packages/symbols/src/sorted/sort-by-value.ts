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
  if (count < fewest) return order.sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)
  let least = values[0] as number
  let most = least
  for (let index = 1; index < count; index++) {
    const value = values[index] as number
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
    if ((values[index] as number) < (values[index - 1] as number)) return false
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
    const value = (values[from[at] as number] as number) - least
    const next = ((value >>> shift) & (digits - 1)) + 1
    places[next] = (places[next] as number) + 1
  }
  for (let digit = 1; digit <= digits; digit++)
    places[digit] = (places[digit] as number) + (places[digit - 1] as number)
  for (let at = 0; at < from.length; at++) {
    const index = from[at] as number
    const digit = (((values[index] as number) - least) >>> shift) & (digits - 1)
    const place = places[digit] as number
    to[place] = index
    places[digit] = place + 1
  }
}
