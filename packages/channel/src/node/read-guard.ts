/**
 * Lets a blocked send sleep in the kernel's own read, which is woken in microseconds, and yet keep a time limit.
 * A read that may never return needs somebody to end it: a thread that looks every few milliseconds whether this
 * process still sits in the same read, and then writes a marker, random bytes, into the pipe from behind. The reader
 * takes the marker out again, wherever it stands, and goes on by glancing and napping. The thread does nothing else,
 * and is started only when enough has been sent to be worth it. Linux: the pipe's other end is had through /proc.
 */
import { randomBytes } from 'node:crypto'
import type * as FileSystem from 'node:fs'
import { platform } from 'node:process'
import { Worker } from 'node:worker_threads'

/** How long the thread sleeps between two looks; a read is ended after one to two of them. */
const interval = 10
/** Looks without a change after which the thread waits to be called. */
const patience = 100
/** Blocking sends that are done without the thread before it is started. */
const warmUp = 50
const markerSize = 16
/** Descriptors beyond this are read without the guard. */
const maxDescriptors = 1024

/** Cells of the shared memory; behind them, for each descriptor, the markers written into it. */
const turn = 0
const descriptor = 1
const isAsleep = 2
const firstCount = 3

/** A time limit below this is kept by glancing and napping alone, in milliseconds. */
export const guardedTime = 3 * interval

export class ReadGuard {
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * (firstCount + maxDescriptors)))
  readonly #marker = randomBytes(markerSize)
  #sends = 0
  #isRunning = false

  /** Counts one blocking send; true when its read may be left to the kernel. */
  isWorthIt(fd: number): boolean {
    if (this.#isRunning) return fd < maxDescriptors
    if (platform !== 'linux' || ++this.#sends < warmUp) return false
    this.#start()
    return this.#isRunning && fd < maxDescriptors
  }

  /** To be called around a blocking read. */
  begin(fd: number): void {
    Atomics.store(this.#cells, descriptor, fd)
    Atomics.add(this.#cells, turn, 1)
    if (Atomics.load(this.#cells, isAsleep) === 1) Atomics.notify(this.#cells, turn)
  }

  end(): void {
    Atomics.add(this.#cells, turn, 1)
  }

  /** Markers written into a descriptor since the process began. */
  countMarkers(fd: number): number {
    return fd < maxDescriptors ? Atomics.load(this.#cells, firstCount + fd) : 0
  }

  /** Takes a marker out of what was read; the new length, or -1 where it is not in there. */
  removeMarker(bytes: Buffer, length: number): number {
    const at = bytes.subarray(0, length).indexOf(this.#marker)
    if (at === -1) return -1
    bytes.copyWithin(at, at + markerSize, length)
    return length - markerSize
  }

  #start(): void {
    const workerData = { cells: this.#cells, marker: this.#marker, interval, patience }
    const code = `(${watchReads.toString()})(require('node:worker_threads').workerData, require('node:fs'))`
    try {
      new Worker(code, { eval: true, execArgv: [], env: {}, workerData }).unref()
      this.#isRunning = true
    } catch {
      // Threads may be forbidden: then every send glances and naps.
      this.#sends = -Infinity
    }
  }
}

interface Watch {
  cells: Int32Array
  marker: Uint8Array
  interval: number
  patience: number
}

/** Runs in the thread, alone: it may refer to nothing outside itself. Cells: 0 turn, 1 descriptor, 2 asleep, 3… counts. */
function watchReads({ cells, marker, interval, patience }: Watch, fs: typeof FileSystem): void {
  const { closeSync, constants, openSync, writeSync } = fs
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let last = 0, quiet = 0; ;) {
    Atomics.wait(pause, 0, 0, interval)
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
        // Nobody reads it any more.
      }
    }
    last = now
    if (quiet < patience || isReading) continue
    Atomics.store(cells, 2, 1)
    Atomics.wait(cells, 0, now)
    Atomics.store(cells, 2, 0)
    quiet = 0
  }
}
