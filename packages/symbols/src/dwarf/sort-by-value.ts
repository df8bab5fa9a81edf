const digits = 0x1_0000
/** Below this, counting digits costs more than comparing. */
const fewest = 4096

/** The indexes 0 to `count` − 1 in the order of their values, equal ones in their own order. */
export function sortByValue(values: Uint32Array, count: number): Uint32Array {
  const order = new Uint32Array(count)
  for (let index = 0; index < count; index++) order[index] = index
  if (isSorted(values, count)) return order
  if (count < fewest) return order.sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)
  const other = new Uint32Array(count)
  sortByDigit(values, order, other, 0)
  sortByDigit(values, other, order, 16)
  return order
}

function isSorted(values: Uint32Array, count: number): boolean {
  for (let index = 1; index < count; index++) {
    if ((values[index] as number) < (values[index - 1] as number)) return false
  }
  return true
}

/** One pass of a radix sort: puts `from` into `to` by 16 bits of the values, equal ones in the order of `from`. */
function sortByDigit(values: Uint32Array, from: Uint32Array, to: Uint32Array, shift: number): void {
  const places = new Uint32Array(digits + 1)
  for (const index of from) {
    const next = (((values[index] as number) >>> shift) & 0xffff) + 1
    places[next] = (places[next] as number) + 1
  }
  for (let digit = 1; digit <= digits; digit++)
    places[digit] = (places[digit] as number) + (places[digit - 1] as number)
  for (const index of from) {
    const digit = ((values[index] as number) >>> shift) & 0xffff
    const place = places[digit] as number
    to[place] = index
    places[digit] = place + 1
  }
}
