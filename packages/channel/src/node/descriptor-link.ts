import type { Buffer } from 'node:buffer'
import { closeSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { now, queueTask, setTimer } from '../host-clock.ts'
import type { Link, LinkEvents } from '../peer/link.ts'
import type { Pending } from '../peer/pending.ts'
import type { Attachment, Frame } from '../wire/frame.ts'
import { Inbox } from '../wire/inbox.ts'
import { Outbox } from '../wire/outbox.ts'
import { XPCError } from '../xpc-error.ts'
import { Pause } from './pause.ts'
import { PipeReader } from './pipe-reader.ts'
import { guardedTime, type ReadGuard } from './read-guard.ts'
import { setHostImmediate } from './immediate.ts'

/** Posts beyond this are written at once rather than at the end of the task. */
const batchSize = 16 * 1024

/** How long after the last request the connection still keeps its process alive, in milliseconds. */
const refTime = 5

/** How often a blocked side looks whether the other still runs, in milliseconds. */
const watchInterval = 20

export interface LinkWatch {
  /** Called once when the other side has gone; it is to call `lose` of the peer, at once when that is blocked. */
  onEnd(end: { isBlocked: boolean; isIncomplete: boolean }): void
  /** A value when the other process has ended, though somebody may still hold its end of the pipe. */
  findGone?(): unknown
  /** Where a blocking send may sleep in the kernel's read; without it, it glances and naps. */
  readonly guard?: ReadGuard
}

/**
 * Frames over two descriptors of pipes. The event loop reads one as it does any socket; a blocking send reads the
 * same descriptor itself, on its own stack. Both are non-blocking, or their writes fit the window.
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
  /** What was asked for last: it is done a little later, as one request often follows another. */
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

  send(
    kind: number,
    blocked: boolean,
    id: number,
    parent: number,
    name: string,
    text: string,
    attachments: readonly Attachment[],
  ): void {
    if (this.#isClosed) throw new XPCError('connectionLost', { messageName: name, detail: 'it was closed' })
    this.#outbox.append(kind, blocked, id, parent, name, text, attachments)
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
    // The first goes at once; what follows it in this task goes together.
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

  /** Writes what is queued, reading acknowledgements meanwhile, for at most `limit` ms. For the end of a process. */
  drainNow(limit: number): void {
    const deadline = now() + limit
    const pause = new Pause()
    this.flush()
    while (!this.#isClosed && this.#outbox.queued > 0) {
      const length = this.#pipe.readNow()
      if (length === 0) return
      // Frames are not handled any more: only their acknowledgements matter.
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
      setTimer(() => this.#unref(), refTime)
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

  /** The other side has gone. */
  end(): void {
    if (this.#isClosed || this.#hasEnded) return
    this.#hasEnded = true
    this.#watch.onEnd({ isBlocked: this.#blockDepth > 0, isIncomplete: this.#inbox.isIncomplete })
  }

  /** The other process has ended, but somebody may hold its end of the pipe: ends once nothing comes any more. */
  endWhenQuiet(patience: number): void {
    const before = this.#inbox.received
    setTimer(() => {
      // After the poll phase: what lay in the pipe while this process was busy has been read by then.
      setHostImmediate(() => {
        if (this.#inbox.received > before) this.endWhenQuiet(patience)
        else this.end()
      })
    }, patience).unref()
  }

  #readUntilSettled(pending: Pending): void {
    const pause = new Pause()
    let time = pending.asked
    let nextWatch = time + watchInterval
    let maySleep = this.#pipe.maySleep()
    this.flush()
    if (!maySleep) pause.yield()
    while (!pending.settled && !this.#isClosed) {
      if (this.#handleNext()) continue
      this.#outbox.acknowledgeIfDue(this.#inbox.received)
      if (this.#outbox.queued > 0) this.flush()
      // While the pipe had no room for a whole packet, what makes room is not told by a read.
      maySleep &&= !this.#outbox.isHalfWritten && time + guardedTime < pending.deadline
      const length = maySleep ? this.#pipe.readAsleep() : this.#pipe.readNow()
      if (length > 0) {
        pause.reset()
        // Most often that is the answer: then nobody asks for the time.
        if (!this.#handleNext() || !pending.settled) time = now()
        continue
      }
      // The guard has ended the read: what takes this long may be waited for with naps.
      maySleep = false
      time = now()
      if (length === 0) {
        // A second end of the stream while the first still waits to learn why: there is nothing to add.
        this.#hasEnded = false
        this.end()
      } else if (time >= pending.deadline) return
      else if (time < nextWatch) pause.wait(pending.deadline)
      else {
        nextWatch = time + watchInterval
        // It may have written something more before it ended.
        if (this.#watch.findGone?.() && this.#pipe.readNow() <= 0) this.end()
      }
    }
  }

  /** Bytes from the event loop; the socket wants to know whether to read on. */
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

  /** Hands the next frame to the peer; false when there is none. */
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
      // No room now, or nobody reads any more: the reading side will tell which.
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
