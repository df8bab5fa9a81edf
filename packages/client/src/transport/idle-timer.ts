/** Ends a wait when nothing has happened for too long, however long the whole takes. */
export interface IdleTimer {
  /** Starts the time anew; another length of time, in milliseconds, holds from here on. */
  touch(nextMs?: number): void
  stop(): void
}

export function createIdleTimer(ms: number, onIdle: () => void): IdleTimer {
  let length = ms
  let lastTouch = Date.now()
  let timer = setTimeout(check, length)

  // To re-arm a timer for every chunk of a large file would cost more than to look at the clock.
  function check(): void {
    const left = lastTouch + length - Date.now()
    if (left <= 0) onIdle()
    else timer = setTimeout(check, left)
  }

  return {
    touch(nextMs) {
      lastTouch = Date.now()
      if (nextMs === undefined || nextMs === length) return
      length = nextMs
      clearTimeout(timer)
      timer = setTimeout(check, length)
    },
    stop: () => clearTimeout(timer),
  }
}
