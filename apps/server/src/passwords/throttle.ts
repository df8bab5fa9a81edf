import { ApiError } from '@fairlead/contract'

interface Bucket {
  attempts: number
  /** Epoch milliseconds. */
  endsAt: number
}

/** Bounds memory against a flood of distinct keys; beyond this, the oldest buckets are evicted. */
const bucketLimit = 50_000

/** A fixed-window rate limiter. Counts live in memory, so each process counts for itself. */
export class Throttle {
  readonly #limit: number
  readonly #windowMs: number
  readonly #buckets = new Map<string, Bucket>()

  constructor({ limit, windowMs }: { limit: number; windowMs: number }) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /**
   * Counts an attempt before it is made, so that concurrent attempts cannot all pass. Returns undefined when the
   * attempt may be made, otherwise the seconds to wait.
   */
  count(key: string, now = Date.now()): number | undefined {
    const bucket = this.#findBucket(key, now) ?? this.#addBucket(key, now)
    if (bucket.attempts >= this.#limit) return Math.max(1, Math.ceil((bucket.endsAt - now) / 1000))
    bucket.attempts++
    return undefined
  }

  /** @throws {ApiError} tooManyRequests with `Retry-After` */
  check(key: string): void {
    const seconds = this.count(key)
    if (seconds !== undefined) throw new ApiError('tooManyRequests', { headers: { 'retry-after': String(seconds) } })
  }

  /** Resets the count of a key after a success. */
  forget(key: string): void {
    this.#buckets.delete(key)
  }

  /** Returns one attempt that turned out not to be a failure. */
  takeBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket && bucket.attempts > 0) bucket.attempts--
  }

  #findBucket(key: string, now: number): Bucket | undefined {
    const bucket = this.#buckets.get(key)
    if (bucket && bucket.endsAt > now) return bucket
    this.#buckets.delete(key)
    return undefined
  }

  #addBucket(key: string, now: number): Bucket {
    // A map iterates in insertion order and all windows have the same length, so the first bucket is the oldest.
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined && this.#buckets.size >= bucketLimit) this.#buckets.delete(oldest)
    const bucket = { attempts: 0, endsAt: now + this.#windowMs }
    this.#buckets.set(key, bucket)
    return bucket
  }
}
