/** The attempts of one key in its current window. */
export interface Attempts {
  attempts: number
  /** Epoch milliseconds. */
  endsAt: number
}

/** Keeps the counts of rate limiters: in the memory of one process, or in a database that processes share. */
export interface AttemptStore {
  /** Counts one attempt, in a new window if the last one has ended, and returns the count with it. */
  add(key: string, windowMs: number, now: number): Promise<Attempts>
  /** Takes one attempt off the count. */
  takeBack(key: string): Promise<void>
  /** Resets the count. */
  forget(key: string): Promise<void>
}

/** Bounds memory against a flood of distinct keys; beyond this, the oldest counts are evicted. */
const keyLimit = 100_000

/** Counts in the memory of this process. */
export function createMemoryAttempts(): AttemptStore {
  const kept = new Map<string, Attempts>()

  return {
    async add(key, windowMs, now) {
      const known = kept.get(key)
      const current = known && known.endsAt > now ? known : start(key, now + windowMs)
      current.attempts++
      // A copy, because the caller reads it only after further attempts of the same turn have been counted.
      return { ...current }
    },
    async takeBack(key) {
      const known = kept.get(key)
      if (known && known.attempts > 0) known.attempts--
    },
    async forget(key) {
      kept.delete(key)
    },
  }

  function start(key: string, endsAt: number): Attempts {
    // Deleting first moves the key to the end, so the first key is the one whose window began first.
    kept.delete(key)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= keyLimit) kept.delete(oldest)
    const attempts = { attempts: 0, endsAt }
    kept.set(key, attempts)
    return attempts
  }
}
