/** Wakes sleeping workers. A call while nobody sleeps is counted and therefore not lost. */
export class WakeUp {
  #calls = 0
  #sleepers = new Set<() => void>()

  /** The number of calls so far. Read it before looking for work and pass it to `sleep` when there was none. */
  get calls(): number {
    return this.#calls
  }

  wake(): void {
    this.#calls++
    for (const rise of this.#sleepers) rise()
  }

  /** Sleeps until the next call or for `ms`. Returns at once when there has been a call since `seen`. */
  async sleep(seen: number, ms: number): Promise<void> {
    if (seen !== this.#calls) return
    await new Promise<void>((resolve) => {
      const rise = () => {
        clearTimeout(timer)
        this.#sleepers.delete(rise)
        resolve()
      }
      const timer = setTimeout(rise, ms)
      this.#sleepers.add(rise)
    })
  }
}
