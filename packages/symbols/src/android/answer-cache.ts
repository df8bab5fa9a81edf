/** Answers to lines that come again and again in a log: one place for each hash of a line, taken by the last that came twice. */
import { hashText } from './index-format.ts'
import type { TraceContext } from './retrace-frame.ts'

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

const places = 2 ** 16
/** Longer lines and answers are not kept, so that all places together have a limit. */
const maxLength = 500

export class AnswerCache {
  readonly #hashes = new Uint32Array(places)
  readonly #answers = new Map<number, KnownAnswer>()

  find(text: string): KnownAnswer | undefined {
    if (text.length > maxLength) return undefined
    const answer = this.#answers.get(hashText(text) % places)
    return answer?.text === text ? answer : undefined
  }

  /** Keeps the answer if the line was offered before: what comes once only is not worth it. */
  offer(answer: KnownAnswer): void {
    const { text, written } = answer
    if (text.length > maxLength || written.length > maxLength) return
    const hash = hashText(text)
    const place = hash % places
    if (this.#hashes[place] === hash) this.#answers.set(place, { ...answer, text: Buffer.from(text).toString() })
    else this.#hashes[place] = hash
  }
}
