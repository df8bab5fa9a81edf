import { setImmediate as runLater } from 'node:timers'

/**
 * How long statements may follow each other in one turn of the event loop, in milliseconds. SQLite runs on the thread
 * that answers requests, and the promises of its statements are kept within one turn (microtasks), so a transaction of
 * many statements would hold up every request that needs no database.
 */
const turnMs = 8

/**
 * How long statements of a transaction may follow each other while others wait until it ends. A busy event loop needs
 * 40 ms and more for a turn, so short turns would make a transaction of 200 ms last for more than a second.
 */
const wantedTurnMs = 20

/**
 * Runs statements in the order in which they come, and cuts them into turns of the event loop. Each connection has
 * turns of its own, so that many reads do not hold up the transaction that everybody else who writes waits for.
 */
export class Turns {
  readonly #isWanted: () => boolean
  readonly #waiting: (() => void)[] = []
  /** When the first statement of this turn of the event loop began; undefined before it. */
  #startedAt: number | undefined

  /** @param isWanted tells whether others wait until a transaction has ended */
  constructor(isWanted = () => false) {
    this.#isWanted = isWanted
  }

  async run<Result>(work: () => Result): Promise<Result> {
    if (this.#waiting.length === 0 && !this.#isOver()) {
      this.#begin()
      return work()
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push(() => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    return promise
  }

  #isOver(): boolean {
    if (this.#startedAt === undefined) return false
    return performance.now() - this.#startedAt > (this.#isWanted() ? wantedTurnMs : turnMs)
  }

  #begin(): void {
    if (this.#startedAt !== undefined) return
    this.#startedAt = performance.now()
    runLater(() => this.#continue())
  }

  #continue(): void {
    this.#startedAt = undefined
    while (!this.#isOver()) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#begin()
      next()
    }
  }
}
