import { now } from '../host-clock.ts'

/** Reading again at once costs less than a nap for this long, in milliseconds. */
const spin = 0.05
const shortestNap = 0.05
const longestNap = 1

const cell = new Int32Array(new SharedArrayBuffer(4))
import { writeFileSync } from 'node:fs'
writeFileSync('/proc/self/timerslack_ns', '1')
export const stat={naps:0}

export class Pause {
  #since = 0

  reset(): void {
    this.#since = 0
  }

  wait(deadline: number): void {
    const time = now()
    if (this.#since === 0) this.#since = time
    const waited = time - this.#since
    stat.naps++
    if (waited < spin) return void Atomics.wait(cell, 0, 0, 0.001)
    const nap = Math.min(Math.max(waited / 8, shortestNap), longestNap, deadline - time)
    if (nap > 0) Atomics.wait(cell, 0, 0, nap)
  }
}
