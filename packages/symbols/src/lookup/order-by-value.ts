import { outOfRange } from '@fairlead/invariant'

/**
 * The number of values that are sorted at once. A key holds a 32-bit offset in its high bits and the value's index in
 * the low 21 bits, which together fit into the 53 bits of a number.
 */
const placesAtOnce = 2 ** 21

/**
 * Gives the indexes 0 to `values.length` − 1 in the order of their values. Beyond two million values, each two million
 * are sorted by themselves.
 */
export function* orderByValue(values: readonly number[]): Generator<number> {
  for (let first = 0; first < values.length; first += placesAtOnce) {
    const keys = new Float64Array(Math.min(placesAtOnce, values.length - first))
    // Values that are no offset may come anywhere. Typed arrays sort several times as fast without a comparison
    // function.
    for (let place = 0; place < keys.length; place++) {
      keys[place] = toOffset(values[first + place] ?? outOfRange()) * placesAtOnce + place
    }
    for (const key of keys.sort()) yield first + (key % placesAtOnce)
  }
}

const toOffset = (value: number): number => (value >= 0 && value <= 0xffffffff ? Math.floor(value) : 0)
