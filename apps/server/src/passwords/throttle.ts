import { ApiError } from '@fairlead/contract'

interface Bucket {
  attempts: number
  /** Epoch milliseconds. */
  endsAt: number
}

/** More than this many buckets at once would be an attack on the memory; the oldest are forgotten then. */
const bucketLimit = 50_000

/** Counts attempts per key, in windows of time. Each process counts for itself. */
export class Throttle {
  readonly #limit: number
  readonly #windowMs: number
  readonly #buckets = new Map<string, Bucket>()

  constructor({ limit, windowMs }: { limit: number; windowMs: number }) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** Counts before the attempt is made, so that many at once do not all pass. Undefined: it may be made. Else the seconds to wait. */
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

  /** After a success the attempts before it do not count. */
  forget(key: string): void {
    this.#buckets.delete(key)
  }

  /** Takes one attempt back: it was no failure. */
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
    // A map keeps the order of insertion, and all windows are equally long: the first is the oldest.
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined && this.#buckets.size >= bucketLimit) this.#buckets.delete(oldest)
    const bucket = { attempts: 0, endsAt: now + this.#windowMs }
    this.#buckets.set(key, bucket)
    return bucket
  }
}
