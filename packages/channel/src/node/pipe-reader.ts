import { closeSync, openSync, readSync } from 'node:fs'
import { Buffer } from 'node:buffer'
import type { Inbox } from '../wire/inbox.ts'
import type { ReadGuard } from './read-guard.ts'

const readSize = 64 * 1024

/**
 * Reads one end of a pipe and feeds its bytes to an inbox. The event loop reads into `chunk`; a blocking send reads the
 * same descriptor synchronously.
 */
export class PipeReader {
  readonly chunk = Buffer.allocUnsafeSlow(readSize)
  readonly #fd: number
  readonly #inbox: Inbox
  readonly #guard: ReadGuard | undefined
  /** A second, blocking descriptor of the same pipe. */
  #blockingFd: number | undefined
  #markersSeen = 0

  constructor(fd: number, inbox: Inbox, guard: ReadGuard | undefined) {
    this.#fd = fd
    this.#inbox = inbox
    this.#guard = guard
  }

  /** True if a blocking send may sleep in the kernel's read. */
  maySleep(): boolean {
    return this.#guard?.isWorthIt(this.#fd) === true
  }

  /**
   * Reads without blocking. Returns the number of bytes fed to the inbox, 0 at the end of the stream, -1 if there are
   * none.
   */
  readNow(): number {
    const limit = Error.stackTraceLimit
    // Node throws if there is nothing to read (EAGAIN); capturing no stack trace halves the cost of that.
    Error.stackTraceLimit = 0
    try {
      const length = readSync(this.#fd, this.chunk, 0, readSize, null)
      return length > 0 ? this.feed(length) : 0
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? -1 : 0
    } finally {
      Error.stackTraceLimit = limit
    }
  }

  /** Reads like `readNow` but sleeps until there are bytes; -1 if the guard ended the read. */
  readAsleep(): number {
    const guard = this.#guard
    try {
      const fd = this.#blockingFd ?? this.#openBlocking()
      guard?.begin(fd)
      const length = readSync(fd, this.chunk, 0, readSize, null)
      return length > 0 ? this.feed(length) : 0
    } catch {
      return this.readNow()
    } finally {
      guard?.end()
    }
  }

  /** Hands the bytes in `chunk` to the inbox, without the guard's marker; -1 if there was nothing but the marker. */
  feed(length: number): number {
    const guard = this.#guard
    let kept = length
    if (guard && this.#blockingFd !== undefined && guard.countMarkers(this.#blockingFd) !== this.#markersSeen) {
      kept = guard.removeMarker(this.chunk, length)
      if (kept === -1) kept = length
      else this.#markersSeen++
    }
    if (kept === 0) return -1
    this.#inbox.feed(this.chunk, kept)
    return kept
  }

  close(): void {
    if (this.#blockingFd !== undefined) closeSync(this.#blockingFd)
  }

  #openBlocking(): number {
    const fd = openSync(`/proc/self/fd/${this.#fd}`, 'r')
    this.#blockingFd = fd
    this.#markersSeen = this.#guard?.countMarkers(fd) ?? 0
    return fd
  }
}
