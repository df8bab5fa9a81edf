/**
 * Binary search in lists that are sorted in ascending order. An index that a function returns may be the length of the
 * list, which means that no element fits. The names are those of the C++ library.
 */
import { outOfRange } from '@fairlead/invariant'

/** Numbers in ascending order, equal ones allowed: a typed array or an array. */
export type SortedNumbers = ArrayLike<number>

/** The index of the first number that is at least `wanted`; `high` if there is none between `low` and `high`. */
export function lowerBound(sorted: SortedNumbers, wanted: number, low = 0, high = sorted.length): number {
  let first = low
  let end = high
  while (first < end) {
    const middle = (first + end) >>> 1
    if ((sorted[middle] ?? outOfRange()) < wanted) first = middle + 1
    else end = middle
  }
  return first
}

/** The index of the first number that is greater than `wanted`; `high` if there is none between `low` and `high`. */
export function upperBound(sorted: SortedNumbers, wanted: number, low = 0, high = sorted.length): number {
  let first = low
  let end = high
  while (first < end) {
    const middle = (first + end) >>> 1
    if ((sorted[middle] ?? outOfRange()) <= wanted) first = middle + 1
    else end = middle
  }
  return first
}

/**
 * The index of the first item whose key is greater than `wanted`, in a list that is sorted by key. The callback runs
 * once per halving, so this is for lists of objects and not for inner loops over numbers.
 */
export function upperBoundBy<Item>(items: readonly Item[], toKey: (item: Item) => number, wanted: number): number {
  let first = 0
  let end = items.length
  while (first < end) {
    const middle = (first + end) >>> 1
    if (toKey(items[middle] ?? outOfRange()) <= wanted) first = middle + 1
    else end = middle
  }
  return first
}

/**
 * Does what `lowerBound` does, but starts at `guess` and doubles its steps until the answer is enclosed (galloping
 * search). A good guess makes it read only a few neighbouring numbers, which saves cache misses in a large table. It
 * takes `Uint32Array` only so that its reads stay monomorphic for the compiler.
 */
export function lowerBoundNear(sorted: Uint32Array, wanted: number, guess: number): number {
  let low = 0
  let high = sorted.length
  let at = Math.min(Math.max(guess, low), high - 1)
  for (let step = 4; low <= at && at < high; step *= 2) {
    if ((sorted[at] ?? outOfRange()) < wanted) {
      low = at + 1
      if (high < sorted.length) break
      at = low + step
    } else {
      high = at
      if (low > 0) break
      at = high - step
    }
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? outOfRange()) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
