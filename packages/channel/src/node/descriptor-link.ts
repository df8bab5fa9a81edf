import type { Buffer } from 'node:buffer'
import { closeSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { now, queueTask, setTimer } from '../host-clock.ts'
import type { Link, LinkEvents } from '../peer/link.ts'
import type { Pending } from '../peer/pending.ts'
import type { Frame } from '../wire/frame.ts'
import { Inbox } from '../wire/inbox.ts'
import { Outbox } from '../wire/outbox.ts'
import { XPCError } from '../xpc-error.ts'
import { Pause } from './pause.ts'
import { PipeReader } from './pipe-reader.ts'
import { shortestGuardedMs, type ReadGuard } from './read-guard.ts'
import { setHostImmediate } from './immediate.ts'

/** If more bytes than this are queued, they are written at once rather than at the end of the task. */
const batchSize = 16 * 1024

/** The connection keeps its process alive for this many milliseconds after the last request. */
const refTimeMs = 5

/** A blocked side checks this often, in milliseconds, whether the other process still runs. */
const watchIntervalMs = 20

export interface LinkWatch {
  /** Called once when the other side is gone. It must call the peer's `lose`, synchronously if `isBlocked`. */
  onEnd(end: { isBlocked: boolean; isIncomplete: boolean }): void
  /** Returns a value if the other process has ended, even if another process still holds its end of the pipe. */
  findGone?(): unknown
  /** Lets a blocking send sleep in the kernel's read; without it, the send polls with short sleeps. */
  readonly guard?: ReadGuard
}

/**
 * Sends frames over the descriptors of two pipes. The event loop reads one of them like any socket; a blocking send
 * reads the same descriptor synchronously. Both are non-blocking, or their writes fit the window.
 */
export class DescriptorLink implements Link {
  readonly #writeFd: number
  readonly #events: LinkEvents
  readonly #receive = (frame: Frame) => this.#events.receive(frame)
  readonly #inbox: Inbox
  readonly #outbox: Outbox
  readonly #pipe: PipeReader
  readonly #socket: Socket
  readonly #watch: LinkWatch
  #blockDepth = 0
  #hasEnded = false
  #isClosed = false
  #isRef = true
  /** The last requested state. It is applied a little later, because one request often follows another. */
  #isRefWanted = true
  #isUnrefScheduled = false
  #isFlushScheduled = false
  #isRetryScheduled = false
  #drainWaiters: (() => void)[] = []

  constructor(readFd: number, writeFd: number, events: LinkEvents, watch: LinkWatch) {
    this.#writeFd = writeFd
    this.#events = events
    this.#watch = watch
    this.#outbox = new Outbox((bytes, start, end) => this.#write(bytes, start, end))
    this.#inbox = new Inbox((received) => this.#outbox.acknowledge(received))
    this.#pipe = new PipeReader(readFd, this.#inbox, watch.guard)
    this.#socket = new Socket({
      fd: readFd,
      readable: true,
      writable: false,
      onread: { buffer: this.#pipe.chunk, callback: (length) => this.#take(length) },
    })
    this.#socket.on('error', () => this.end())
    this.#socket.on('end', () => this.end())
    this.#socket.on('close', () => this.end())
  }

  send(frame: Frame): void {
    if (this.#isClosed) {
      throw new XPCError('connectionLost', { messageName: frame.name, detail: 'the connection was closed' })
    }
    this.#outbox.append(frame)
  }

  flush(): void {
    if (this.#isClosed) return
    this.#outbox.flush(this.#inbox.received)
    if (this.#outbox.queued === 0) this.#tellDrained()
    else if (this.#outbox.isHalfWritten) this.#retrySoon()
  }

  flushSoon(): void {
    if (this.#isFlushScheduled) {
      if (this.#outbox.queued >= batchSize) this.flush()
      return
    }
    // The first frame is written at once; those that follow in the same task are written together.
    this.#isFlushScheduled = true
    queueTask(() => {
      this.#isFlushScheduled = false
      this.flush()
    })
    this.flush()
  }

  async drained(): Promise<void> {
    this.flush()
    if (this.#outbox.queued === 0 || this.#isClosed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#drainWaiters.push(resolve)
    await promise
  }

  /** Writes the queued frames at the end of a process, reading acknowledgements meanwhile, for at most `limitMs`. */
  drainNow(limitMs: number): void {
    const deadline = now() + limitMs
    const pause = new Pause()
    this.flush()
    while (!this.#isClosed && this.#outbox.queued > 0) {
      const length = this.#pipe.readNow()
      if (length === 0) return
      // Frames are no longer handled; only their acknowledgements matter.
      if (length > 0) this.#parse(() => {})
      else if (now() >= deadline) return
      else pause.wait(deadline)
      this.flush()
    }
  }

  block(pending: Pending): void {
    this.#blockDepth++
    try {
      this.#readUntilSettled(pending)
    } finally {
      this.#blockDepth--
    }
  }

  setRef(isRef: boolean): void {
    this.#isRefWanted = isRef
    if (isRef === this.#isRef) return
    if (isRef) {
      this.#isRef = true
      this.#socket.ref()
    } else if (!this.#isUnrefScheduled) {
      this.#isUnrefScheduled = true
      setTimer(() => this.#unref(), refTimeMs)
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#tellDrained()
    this.#socket.destroy()
    closeSync(this.#writeFd)
    this.#pipe.close()
  }

  /** Called when the other side is gone. */
  end(): void {
    if (this.#isClosed || this.#hasEnded) return
    this.#hasEnded = true
    this.#watch.onEnd({ isBlocked: this.#blockDepth > 0, isIncomplete: this.#inbox.isIncomplete })
  }

  /**
   * Called when the other process has ended but another process may hold its end of the pipe. Ends the link once no
   * more bytes arrive.
   */
  endWhenQuiet(patienceMs: number): void {
    const before = this.#inbox.received
    setTimer(() => {
      // By the time setImmediate runs, after the poll phase, bytes that were in the pipe while this process was busy
      // are read.
      setHostImmediate(() => {
        if (this.#inbox.received > before) this.endWhenQuiet(patienceMs)
        else this.end()
      })
    }, patienceMs).unref()
  }

  #readUntilSettled(pending: Pending): void {
    const pause = new Pause()
    let time = pending.asked
    let nextWatch = time + watchIntervalMs
    let maySleep = this.#pipe.maySleep()
    this.flush()
    if (!maySleep) pause.yield()
    while (!pending.settled && !this.#isClosed) {
      if (this.#handleNext()) continue
      this.#outbox.acknowledgeIfDue(this.#inbox.received)
      if (this.#outbox.queued > 0) this.flush()
      // While a packet is half written, the room for its rest is not signalled by a read, so this side must not sleep
      // in one.
      maySleep &&= !this.#outbox.isHalfWritten && time + shortestGuardedMs < pending.deadline
      const length = maySleep ? this.#pipe.readAsleep() : this.#pipe.readNow()
      if (length > 0) {
        pause.reset()
        // Usually the frame is the answer, and the clock need not be read.
        if (!this.#handleNext() || !pending.settled) time = now()
        continue
      }
      // The guard ended the read. A wait this long may continue with short sleeps.
      maySleep = false
      time = now()
      if (length === 0) {
        // The stream ended a second time while the reason for the first end is still awaited; nothing needs to be
        // added.
        this.#hasEnded = false
        this.end()
      } else if (time >= pending.deadline) return
      else if (time < nextWatch) pause.wait(pending.deadline)
      else {
        nextWatch = time + watchIntervalMs
        // The process may have written more before it ended.
        if (this.#watch.findGone?.() && this.#pipe.readNow() <= 0) this.end()
      }
    }
  }

  /** Takes bytes from the event loop; returns whether the socket should keep reading. */
  #take(length: number): boolean {
    if (this.#pipe.feed(length) > 0) this.#parse(this.#receive)
    return true
  }

  #parse(use: LinkEvents['receive']): void {
    try {
      for (let frame = this.#inbox.next(); frame; frame = this.#inbox.next()) use(frame)
    } catch (error) {
      return this.#break(error)
    }
    if (this.#isClosed) return
    this.#outbox.acknowledgeIfDue(this.#inbox.received)
    if (this.#outbox.queued > 0) this.flush()
  }

  /** Hands the next frame to the peer; false if there is none. */
  #handleNext(): boolean {
    try {
      const frame = this.#inbox.next()
      if (!frame) return false
      this.#events.receive(frame)
    } catch (error) {
      this.#break(error)
    }
    return true
  }

  #write(bytes: Buffer, start: number, end: number): number {
    try {
      return writeSync(this.#writeFd, bytes, start, end - start)
    } catch {
      // There is no room now, or the reader is gone; the reading side will find out which.
      return 0
    }
  }

  #unref(): void {
    this.#isUnrefScheduled = false
    if (this.#isRefWanted || !this.#isRef) return
    this.#isRef = false
    this.#socket.unref()
  }

  #retrySoon(): void {
    if (this.#isRetryScheduled) return
    this.#isRetryScheduled = true
    setTimer(() => {
      this.#isRetryScheduled = false
      this.flush()
    }, 1).unref()
  }

  #tellDrained(): void {
    if (this.#drainWaiters.length === 0) return
    for (const resolve of this.#drainWaiters.splice(0)) resolve()
  }

  #break(error: unknown): void {
    const detail = error instanceof XPCError && error.code === 'protocol' ? error.detail : String(error)
    this.#events.lose('protocol', detail)
  }
}
