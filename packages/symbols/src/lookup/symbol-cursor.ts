import { outOfRange } from '@fairlead/invariant'
import type { SymbolRanges } from './symbol-ranges.ts'
import { upperBound } from '../sorted/search.ts'

/** Walks the symbols in step with ascending offsets. */
export class SymbolCursor {
  readonly #symbols: SymbolRanges
  #index: number

  constructor(symbols: SymbolRanges, offset: number) {
    this.#symbols = symbols
    this.#index = upperBound(symbols.end, offset, 0, symbols.count)
  }

  /** The symbol at an offset that is not below the last one asked for; −1 for none. */
  find(offset: number): number {
    const { count, start, end } = this.#symbols
    while (this.#index < count && (end[this.#index] ?? outOfRange()) <= offset) this.#index++
    return this.#index < count && (start[this.#index] ?? outOfRange()) <= offset ? this.#index : -1
  }

  /** The offset at which the last answer of `find` stops being true. */
  limit(offset: number): number {
    const { count, start, end } = this.#symbols
    if (this.#index >= count) return Number.POSITIVE_INFINITY
    const from = start[this.#index] ?? outOfRange()
    return from <= offset ? (end[this.#index] ?? outOfRange()) : from
  }
}
