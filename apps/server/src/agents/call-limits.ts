const perMinute = 600
const windowMs = 60_000
const atOnceOfToken = 8
const atOnceOfWorkspace = 16
/** How long a call waits that came while too many others were being answered. */
const busySeconds = 1
/** The most tokens that are counted at a time. Only tokens of the database are, so there are few. */
const maxTokens = 10_000

export interface CallLimits {
  /** Counts a call that begins. Its place goes back when it is disposed of. */
  begin(caller: { tokenId: number; workspaceId: number }): Disposable | { retryAfterSeconds: number }
}

/**
 * Limits the calls of each token and of each workspace. They are counted in this process, as the deliveries of crash
 * keys are: every replica does as much for a token as it would alone.
 */
export function createCallLimits(now: () => number = Date.now): CallLimits {
  const windows = new Map<number, { endsAt: number; count: number }>()
  const ofToken = new Map<number, number>()
  const ofWorkspace = new Map<number, number>()

  const countInWindow = (tokenId: number): number => {
    const time = now()
    const known = windows.get(tokenId)
    if (known && known.endsAt > time) {
      if (known.count >= perMinute) return Math.ceil((known.endsAt - time) / 1000)
      known.count++
      return 0
    }
    if (windows.size >= maxTokens) windows.clear()
    windows.set(tokenId, { endsAt: time + windowMs, count: 1 })
    return 0
  }

  return {
    begin({ tokenId, workspaceId }) {
      const isBusy =
        (ofToken.get(tokenId) ?? 0) >= atOnceOfToken || (ofWorkspace.get(workspaceId) ?? 0) >= atOnceOfWorkspace
      const retryAfterSeconds = isBusy ? busySeconds : countInWindow(tokenId)
      if (retryAfterSeconds > 0) return { retryAfterSeconds }
      add(ofToken, tokenId, 1)
      add(ofWorkspace, workspaceId, 1)
      return {
        [Symbol.dispose]() {
          add(ofToken, tokenId, -1)
          add(ofWorkspace, workspaceId, -1)
        },
      }
    },
  }
}

function add(counts: Map<number, number>, key: number, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
