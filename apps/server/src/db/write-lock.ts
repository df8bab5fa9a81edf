/** Gives the writing connection to one caller at a time, in the order in which they ask. */
export class WriteLock {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Whether somebody waits until the holder releases it. */
  get isWanted(): boolean {
    return this.#waiting.length > 0
  }

  async take(): Promise<void> {
    // `release` hands the lock to the first waiter directly, so later callers cannot overtake it.
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}
