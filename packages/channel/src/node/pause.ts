import { writeFileSync } from 'node:fs'
import { platform } from 'node:process'
import { now } from '../host-clock.ts'

/** The shortest sleep that Atomics.wait supports, in milliseconds; it lets the other process run. */
const shortestSleepMs = 0.001
/** During this many milliseconds at the start of a wait, only the shortest sleep is used. */
const shortSleepPhaseMs = 0.05
const longestSleepMs = 1

const cell = new Int32Array(new SharedArrayBuffer(4))
let isSharp = platform !== 'linux'

/**
 * Linux may let a sleep run 50 µs late, which is longer than a round trip. A thread may reduce its own timer slack, see
 * proc_pid_timerslack_ns(5). If that fails, short sleeps are only less precise.
 */
function sharpenTimers(): void {
  isSharp = true
  try {
    writeFileSync('/proc/self/timerslack_ns', '1000')
  } catch {
    // The kernel is old, or /proc is missing.
  }
}

/**
 * Blocks the thread while it polls for something that may take ten microseconds or ten seconds. It sleeps as briefly as
 * possible at first, then for an eighth of the time it has waited, at most a millisecond.
 */
export class Pause {
  #since = 0

  constructor() {
    if (!isSharp) sharpenTimers()
  }

  reset(): void {
    this.#since = 0
  }

  /** Lets the process that was just written to run on this core. */
  yield(): void {
    Atomics.wait(cell, 0, 0, shortestSleepMs)
  }

  wait(deadline: number): void {
    const time = now()
    if (this.#since === 0) this.#since = time
    const waited = time - this.#since
    const sleepMs = waited < shortSleepPhaseMs ? shortestSleepMs : Math.min(waited / 8, longestSleepMs, deadline - time)
    if (sleepMs > 0) Atomics.wait(cell, 0, 0, sleepMs)
  }
}
