import { outOfRange } from '@fairlead/invariant'
import type { LineRows, Sequence } from '../dwarf/line-rows.ts'
import { upperBound, upperBoundBy } from '../sorted/search.ts'

interface Interval {
  low: number
  high: number
  sequence: Sequence
}

/**
 * Finds the row at ascending offsets. If sequences overlap, the one that ends first counts, as in LLVM's symbolizer.
 */
export class LineCursor {
  readonly #rows: LineRows
  readonly #intervals: Interval[]
  #index = 0
  #row = 0

  constructor(rows: LineRows) {
    this.#rows = rows
    let covered = 0
    this.#intervals = rows.sequences
      .toSorted((a, b) => a.high - b.high)
      .map((sequence) => {
        const low = Math.max(sequence.low, covered)
        covered = sequence.high
        return { low, high: sequence.high, sequence }
      })
      .filter(({ low, high }) => low < high)
  }

  /** Moves to any offset with a binary search; `find` only moves forward. */
  seek(offset: number): void {
    this.#index = upperBoundBy(this.#intervals, ({ high }) => high, offset)
    this.#row = -1
  }

  /** The row at an offset; −1 for none. If several rows have the same offset, the last one counts. */
  find(offset: number): number {
    let interval = this.#intervals[this.#index]
    while (interval && interval.high <= offset) {
      interval = this.#intervals[++this.#index]
      this.#row = -1
    }
    if (!interval || offset < interval.low) return -1
    const { first, end } = interval.sequence
    const offsets = this.#rows.offset
    if (this.#row < 0) this.#row = Math.max(first, upperBound(offsets, offset, first, end - 1) - 1)
    while (this.#row + 1 < end - 1 && (offsets[this.#row + 1] ?? outOfRange()) <= offset) this.#row++
    return this.#row
  }

  /** The offset at which the last answer of `find` stops being true. */
  limit(offset: number): number {
    const interval = this.#intervals[this.#index]
    if (!interval) return Number.POSITIVE_INFINITY
    if (offset < interval.low) return interval.low
    const next = this.#row + 1
    return next < interval.sequence.end - 1 ? (this.#rows.offset[next] ?? outOfRange()) : interval.high
  }
}
