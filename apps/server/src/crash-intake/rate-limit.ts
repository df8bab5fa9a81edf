/** The most deliveries of one key per minute. */
const maxPerMinute = 3000
const windowMs = 60_000
/** The most keys that are counted; only keys in the database are, so there are few. */
const maxKeys = 10_000

export interface RateLimit {
  /** Counts a delivery. Returns the milliseconds to wait when there were too many, else 0. */
  take(keyId: number): number
}

/** Counts deliveries by key in windows of one minute. */
export function createRateLimit(): RateLimit {
  const windows = new Map<number, { endsAt: number; count: number }>()
  return {
    take(keyId) {
      const now = Date.now()
      const known = windows.get(keyId)
      if (known && known.endsAt > now) {
        known.count++
        return known.count > maxPerMinute ? known.endsAt - now : 0
      }
      if (windows.size >= maxKeys) windows.clear()
      windows.set(keyId, { endsAt: now + windowMs, count: 1 })
      return 0
    },
  }
}
