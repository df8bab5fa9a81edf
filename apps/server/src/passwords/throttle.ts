import { ApiError } from '@fairlead/contract'
import type { AttemptStore } from './attempt-store.ts'

/** A fixed-window rate limiter. The store decides whether processes count together or each for itself. */
export class Throttle {
  readonly #store: AttemptStore
  readonly #name: string
  readonly #limit: number
  readonly #windowMs: number

  /** @param name separates the counts of this throttle from those of others in the same store */
  constructor(store: AttemptStore, name: string, { limit, windowMs }: { limit: number; windowMs: number }) {
    this.#store = store
    this.#name = name
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /**
   * Counts an attempt before it is made, so that concurrent attempts cannot all pass. Returns undefined when the
   * attempt may be made, otherwise the seconds to wait.
   */
  async count(key: string): Promise<number | undefined> {
    const now = Date.now()
    const { attempts, endsAt } = await this.#store.add(this.#toKey(key), this.#windowMs, now)
    return attempts > this.#limit ? Math.max(1, Math.ceil((endsAt - now) / 1000)) : undefined
  }

  /** @throws {ApiError} tooManyRequests with `Retry-After` */
  async check(key: string): Promise<void> {
    refuse(await this.count(key))
  }

  /** Resets the count of a key after a success. */
  async forget(key: string): Promise<void> {
    await this.#store.forget(this.#toKey(key))
  }

  /** Returns one attempt that turned out not to be a failure. */
  async takeBack(key: string): Promise<void> {
    await this.#store.takeBack(this.#toKey(key))
  }

  #toKey(key: string): string {
    return `${this.#name} ${key}`
  }
}

/** @throws {ApiError} tooManyRequests with `Retry-After`, unless there is nothing to wait for */
export function refuse(seconds: number | undefined): void {
  if (seconds !== undefined) throw new ApiError('tooManyRequests', { headers: { 'retry-after': String(seconds) } })
}
