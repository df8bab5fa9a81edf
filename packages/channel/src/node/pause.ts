import { writeFileSync } from 'node:fs'
import { platform } from 'node:process'
import { now } from '../host-clock.ts'

/** The shortest sleep that an Atomics.wait takes, in milliseconds: the other process has the core meanwhile. */
const glance = 0.001
/** How long to look again after every glance, in milliseconds. */
const glancing = 0.05
const longestNap = 1

const cell = new Int32Array(new SharedArrayBuffer(4))
let isSharp = platform !== 'linux'

/**
 * Linux lets a sleep run 50 µs late, which is more than a round trip takes. A thread may ask for less for itself:
 * proc_pid_timerslack_ns(5). Where it may not, a short sleep is only longer.
 */
function sharpenTimers(): void {
  isSharp = true
  try {
    writeFileSync('/proc/self/timerslack_ns', '1000')
  } catch {
    // An old kernel, or no /proc.
  }
}

/**
 * Waiting on this stack for something that may come in ten microseconds or in ten seconds: glances for a while, then
 * sleeps for an eighth of the time it has waited, at most a millisecond.
 */
export class Pause {
  #since = 0

  constructor() {
    if (!isSharp) sharpenTimers()
  }

  reset(): void {
    this.#since = 0
  }

  /** Gives the core to the process that was just written to. */
  yield(): void {
    Atomics.wait(cell, 0, 0, glance)
  }

  wait(deadline: number): void {
    const time = now()
    if (this.#since === 0) this.#since = time
    const waited = time - this.#since
    const nap = waited < glancing ? glance : Math.min(waited / 8, longestNap, deadline - time)
    if (nap > 0) Atomics.wait(cell, 0, 0, nap)
  }
}
