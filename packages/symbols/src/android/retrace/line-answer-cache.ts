/** A cache of answers to lines that occur repeatedly in a log. */
import { outOfRange } from '@fairlead/invariant'
import { GenerationalCache } from '../cache/generational-cache.ts'
import type { TraceContext } from './trace-context.ts'

export interface CachedAnswer {
  /** A copy of the line, because a slice would keep its whole chunk of the log in memory. */
  readonly text: string
  readonly written: string
  /** The number of lines in the answer beyond the first. */
  readonly extraLines: number
  /** Whether the answer is valid only if the preceding lines gave no context. */
  readonly needsNoContext: boolean
  /** The context for the next line, for each mapping of the chain. */
  readonly contexts: readonly TraceContext[]
}

/** The longest line and the longest answer that are cached, in UTF-16 code units. */
const maxLength = 500
/** The total weight of the entries, about their size in bytes. */
const maxWeight = 8 * 1024 * 1024
/** The weight of an entry in addition to its text. */
const overhead = 250

/** The size of the table that counts how often lines occurred. */
const slotCount = 2 ** 17

export class LineAnswerCache {
  readonly #counts = new Int32Array(slotCount)
  readonly #answers = new GenerationalCache<string, CachedAnswer>(
    maxWeight,
    ({ text, written }) => text.length + written.length + overhead,
  )

  /**
   * Counts the line and returns whether it occurred at least three times before. Counts may be lost when lines share a
   * slot. Lines that occur less often are not worth caching.
   */
  countLine(text: string): boolean {
    if (text.length > maxLength) return false
    const hash = hashLine(text)
    const slot = hash % slotCount
    const entry = this.#counts[slot] ?? outOfRange()
    // The slot is the low bits of the hash, so the two lowest bits of an entry are free to hold the count.
    if ((entry & ~3) !== (hash & ~3)) {
      this.#counts[slot] = (hash & ~3) | 1
      return false
    }
    if ((entry & 3) === 3) return true
    this.#counts[slot] = entry + 1
    return false
  }

  find(text: string): CachedAnswer | undefined {
    return this.#answers.get(text)
  }

  keep(answer: CachedAnswer): void {
    if (answer.written.length > maxLength) return
    const text = Buffer.from(answer.text).toString()
    this.#answers.set(text, { ...answer, text })
  }
}

/** Different lines may have the same hash, which only makes a count too high. */
function hashLine(text: string): number {
  let hash = text.length
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 15)) >>> 0
}
