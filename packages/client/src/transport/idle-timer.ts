/** Calls back when nothing has happened for too long. It does not limit the total time. */
export interface IdleTimer {
  /** Restarts the timer. If `nextMs` is given, it replaces the time limit from now on, in milliseconds. */
  touch(nextMs?: number): void
  stop(): void
}

export function createIdleTimer(ms: number, onIdle: () => void): IdleTimer {
  let length = ms
  let lastTouch = Date.now()
  let timer = setTimeout(check, length)

  // Restarting a timer for every chunk of a large file would cost more than reading the clock.
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
