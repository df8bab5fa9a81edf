import { ReportsError } from '../reports-error.ts'

interface Waiter<T> {
  resolve(item: T): void
}

/** Shares a few items between callers. Keys take turns (round-robin), however many callers one key has. */
export class FairQueue<T> {
  readonly #idle: T[]
  readonly #maxQueued: number
  /** Waiting callers by key; the first key has the next turn. */
  readonly #waiting = new Map<string, Waiter<T>[]>()
  #count = 0

  constructor(items: T[], maxQueued: number) {
    this.#idle = [...items]
    this.#maxQueued = maxQueued
  }

  /** Waits for an item. Throws ReportsError `busy` if too many callers wait, `aborted` if the signal is aborted. */
  async take(key: string, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new ReportsError('aborted')
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#count >= this.#maxQueued) throw new ReportsError('busy', `${this.#count} are.`)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const waiter = { resolve }
    const onAbort = () => {
      this.#remove(key, waiter)
      reject(new ReportsError('aborted'))
    }
    signal?.addEventListener('abort', onAbort)
    this.#count++
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiter])
    return await promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** Returns an item, which goes to the first caller of the key whose turn it is. */
  give(item: T): void {
    for (const [key, waiters] of this.#waiting) {
      const [next] = waiters
      if (!next) continue
      this.#remove(key, next)
      const rest = this.#waiting.get(key)
      this.#waiting.delete(key)
      if (rest) this.#waiting.set(key, rest)
      next.resolve(item)
      return
    }
    this.#idle.push(item)
  }

  #remove(key: string, waiter: Waiter<T>): void {
    const waiters = this.#waiting.get(key) ?? []
    const rest = waiters.filter((one) => one !== waiter)
    if (rest.length === waiters.length) return
    this.#count--
    if (rest.length === 0) this.#waiting.delete(key)
    else this.#waiting.set(key, rest)
  }
}
