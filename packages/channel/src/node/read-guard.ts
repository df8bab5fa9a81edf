/**
 * Lets a blocked send sleep in the kernel's read, which wakes within microseconds, and still keep a time limit. A
 * blocking read may never return, so a watchdog thread checks every few milliseconds whether this process is still in
 * the same read. If so, it writes a marker (random bytes) into the pipe to end the read. The reader removes the marker,
 * wherever it is, and continues by polling with short sleeps. The thread does nothing else and is started only after
 * enough sends to be worth it. It works on Linux only, because it opens the pipe's other end through /proc.
 */
import { randomBytes } from 'node:crypto'
import type * as FileSystem from 'node:fs'
import { platform } from 'node:process'
import { Worker } from 'node:worker_threads'

/** Milliseconds between two checks of the thread; a read is ended after one to two of them. */
const intervalMs = 10
/** After this many checks without a change, the thread waits to be notified. */
const maxIdleChecks = 100
/** Number of blocking sends without the thread before it is started. */
const warmUp = 50
const markerSize = 16
/** Descriptors with a number from here on are read without the guard. */
const maxDescriptors = 1024

/**
 * Indexes of the cells in shared memory. They are followed by a count per descriptor of the markers written into it.
 */
const turn = 0
const descriptor = 1
const isAsleep = 2
const firstCount = 3

/** Time limits below this many milliseconds are kept without the guard, by polling with short sleeps. */
export const shortestGuardedMs = 3 * intervalMs

export class ReadGuard {
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * (firstCount + maxDescriptors)))
  readonly #marker = randomBytes(markerSize)
  #sends = 0
  #isRunning = false

  /** Counts one blocking send; true if it may sleep in the kernel's read. */
  isWorthIt(fd: number): boolean {
    if (this.#isRunning) return fd < maxDescriptors
    if (platform !== 'linux' || ++this.#sends < warmUp) return false
    this.#start()
    return this.#isRunning && fd < maxDescriptors
  }

  /** Must be called before a blocking read, and `end` after it. */
  begin(fd: number): void {
    Atomics.store(this.#cells, descriptor, fd)
    Atomics.add(this.#cells, turn, 1)
    if (Atomics.load(this.#cells, isAsleep) === 1) Atomics.notify(this.#cells, turn)
  }

  end(): void {
    Atomics.add(this.#cells, turn, 1)
  }

  /** Number of markers written into a descriptor since the process started. */
  countMarkers(fd: number): number {
    return fd < maxDescriptors ? Atomics.load(this.#cells, firstCount + fd) : 0
  }

  /** Removes a marker from the bytes read and returns the new length, or -1 if there is none. */
  removeMarker(bytes: Buffer, length: number): number {
    const at = bytes.subarray(0, length).indexOf(this.#marker)
    if (at === -1) return -1
    bytes.copyWithin(at, at + markerSize, length)
    return length - markerSize
  }

  #start(): void {
    const workerData = { cells: this.#cells, marker: this.#marker, intervalMs, maxIdleChecks }
    const code = `(${watchReads.toString()})(require('node:worker_threads').workerData, require('node:fs'))`
    try {
      new Worker(code, { eval: true, execArgv: [], env: {}, workerData }).unref()
      this.#isRunning = true
    } catch {
      // The process may not be allowed to start threads; then every send polls with short sleeps.
      this.#sends = -Infinity
    }
  }
}

interface Watch {
  cells: Int32Array
  marker: Uint8Array
  intervalMs: number
  maxIdleChecks: number
}

/**
 * Runs in the thread from its source text, so it must not refer to anything outside. Cells: 0 turn, 1 descriptor, 2
 * asleep, 3… counts.
 */
function watchReads({ cells, marker, intervalMs, maxIdleChecks }: Watch, fs: typeof FileSystem): void {
  const { closeSync, constants, openSync, writeSync } = fs
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let last = 0, quiet = 0; ;) {
    Atomics.wait(pause, 0, 0, intervalMs)
    const now = Atomics.load(cells, 0)
    quiet = now === last ? quiet + 1 : 0
    const isReading = (now & 1) === 1
    if (quiet === 1 && isReading) {
      const fd = Atomics.load(cells, 1)
      try {
        const other = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
        Atomics.add(cells, 3 + fd, 1)
        writeSync(other, marker)
        closeSync(other)
      } catch {
        // The pipe has no reader any more.
      }
    }
    last = now
    if (quiet < maxIdleChecks || isReading) continue
    Atomics.store(cells, 2, 1)
    Atomics.wait(cells, 0, now)
    Atomics.store(cells, 2, 0)
    quiet = 0
  }
}
