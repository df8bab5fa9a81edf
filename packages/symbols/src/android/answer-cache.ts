/** Answers to lines that come again and again in a log. */
import type { TraceContext } from './retrace-frame.ts'
import { WeightedCache } from './weighted-cache.ts'

export interface KnownAnswer {
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

/** Places of hashes of the lines seen last. */
const places = 2 ** 15

export class AnswerCache {
  readonly #hashes = new Uint32Array(places)
  readonly #answers = new WeightedCache<string, KnownAnswer>(
    maxWeight,
    ({ text, written }) => text.length + written.length + overhead,
  )

  find(text: string): KnownAnswer | undefined {
    return text.length > maxLength ? undefined : this.#answers.get(text)
  }

  /** Whether the line came before: what comes once only is not worth keeping. */
  isWorthKeeping(text: string): boolean {
    if (text.length > maxLength) return false
    const hash = hashRoughly(text)
    const place = hash % places
    if (this.#hashes[place] === hash) return true
    this.#hashes[place] = hash
    return false
  }

  keep(answer: KnownAnswer): void {
    if (answer.written.length > maxLength) return
    const text = Buffer.from(answer.text).toString()
    this.#answers.set(text, { ...answer, text })
  }
}

/** Different lines may have one hash, which costs no more than a place. */
function hashRoughly(text: string): number {
  let hash = text.length
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 15)) >>> 0
}
