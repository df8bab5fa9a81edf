/** Tells a sleeper that there is something to do. A call that comes while nobody sleeps is not lost. */
export class WakeUp {
  #calls = 0
  #sleepers = new Set<() => void>()

  /** How often it was called: read it before looking for work, and hand it to `sleep` when there was none. */
  get calls(): number {
    return this.#calls
  }

  wake(): void {
    this.#calls++
    for (const rise of this.#sleepers) rise()
  }

  /** Until the next call, or the time is over; returns at once when there was a call since `seen`. */
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
