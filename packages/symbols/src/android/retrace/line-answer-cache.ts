/** Answers to lines that come again and again in a log. */
import { GenerationalCache } from '../cache/generational-cache.ts'
import type { TraceContext } from './trace-context.ts'

export interface CachedAnswer {
  /** A copy: what was cut out of a chunk of a log would keep all of the chunk. */
  readonly text: string
  readonly written: string
  /** Lines of the answer beyond the first. */
  readonly extraLines: number
  /** Whether it holds only where the lines before have told nothing. */
  readonly needsNoContext: boolean
  /** What the line told about the next, by mapping. */
  readonly contexts: readonly TraceContext[]
}

/** Longer lines and answers are not kept. */
const maxLength = 500
/** In bytes, if no character takes more than one. */
const maxWeight = 8 * 1024 * 1024
/** What an answer weighs beside its text. */
const overhead = 250

/** Places for hashes of the lines met last, with how often each was met. */
const places = 2 ** 17

export class LineAnswerCache {
  readonly #met = new Int32Array(places)
  readonly #answers = new GenerationalCache<string, CachedAnswer>(
    maxWeight,
    ({ text, written }) => text.length + written.length + overhead,
  )

  /** Whether the line came at least three times before, as far as this remembers: what comes less often is soon made again. */
  countLine(text: string): boolean {
    if (text.length > maxLength) return false
    const hash = hashText(text)
    const place = hash % places
    const met = this.#met[place] as number
    // The count stands in the two lowest bits, which `place` has as well.
    if ((met & ~3) !== (hash & ~3)) {
      this.#met[place] = (hash & ~3) | 1
      return false
    }
    if ((met & 3) === 3) return true
    this.#met[place] = met + 1
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

/** Different lines may have one hash, which costs no more than a place. */
function hashText(text: string): number {
  let hash = text.length
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 15)) >>> 0
}
