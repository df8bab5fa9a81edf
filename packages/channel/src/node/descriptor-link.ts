import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { now, queueTask, setTimer } from '../host-clock.ts'
import type { Link, LinkEvents } from '../peer/link.ts'
import type { Pending } from '../peer/pending.ts'
import type { Frame } from '../wire/frame.ts'
import { Inbox } from '../wire/inbox.ts'
import { Outbox } from '../wire/outbox.ts'
import { XPCError } from '../xpc-error.ts'
import { Pause } from './pause.ts'
import { guardedTime, type ReadGuard } from './read-guard.ts'
import { setHostImmediate } from './immediate.ts'

const readSize = 64 * 1024
/** Posts beyond this are written at once rather than at the end of the task. */
const batchSize = 16 * 1024

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
  readonly #readFd: number
  readonly #writeFd: number
  readonly #events: LinkEvents
  readonly #receive = (frame: Frame) => this.#events.receive(frame)
  readonly #chunk = Buffer.allocUnsafeSlow(readSize)
  readonly #inbox: Inbox
  readonly #outbox: Outbox
  readonly #socket: Socket
  readonly #watch: LinkWatch
  #blockDepth = 0
  #hasEnded = false
  /** The same pipe, opened once more so that reading it blocks. */
  #blockingFd: number | undefined
  #markersSeen = 0
  #isClosed = false
  #isRef = true
  #isFlushScheduled = false
  #isRetryScheduled = false
  #drainWaiters: (() => void)[] = []

  constructor(readFd: number, writeFd: number, events: LinkEvents, watch: LinkWatch) {
    this.#readFd = readFd
    this.#writeFd = writeFd
    this.#events = events
    this.#watch = watch
    this.#outbox = new Outbox((bytes, start, end) => this.#write(bytes, start, end))
    this.#inbox = new Inbox((received) => this.#outbox.acknowledge(received))
    this.#socket = new Socket({
      fd: readFd,
      readable: true,
      writable: false,
      onread: { buffer: this.#chunk, callback: (length) => this.#take(length) },
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
    attachments: readonly Uint8Array[],
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
      const length = this.#readNow()
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
    if (isRef === this.#isRef) return
    this.#isRef = isRef
    if (isRef) this.#socket.ref()
    else this.#socket.unref()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#tellDrained()
    this.#socket.destroy()
    closeSync(this.#writeFd)
    if (this.#blockingFd !== undefined) closeSync(this.#blockingFd)
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
    let nextWatch = now() + watchInterval
    let isGuarded = this.#watch.guard?.isWorthIt(this.#readFd) === true
    this.flush()
    if (!isGuarded) pause.yield()
    while (!pending.settled && !this.#isClosed) {
      if (this.#handleNext()) continue
      this.#outbox.acknowledgeIfDue(this.#inbox.received)
      if (this.#outbox.queued > 0) this.flush()
      // While the pipe had no room for a whole packet, what makes room is not told by a read.
      isGuarded &&= !this.#outbox.isHalfWritten && now() + guardedTime < pending.deadline
      const length = isGuarded ? this.#readGuarded() : this.#readNow()
      if (length > 0) {
        pause.reset()
        continue
      }
      // The guard has ended the read: what takes this long may be waited for with naps.
      isGuarded = false
      const time = now()
      if (length === 0) {
        // A second end of the stream while the first still waits to learn why: there is nothing to add.
        this.#hasEnded = false
        this.end()
      } else if (time >= pending.deadline) return
      else if (time < nextWatch) pause.wait(pending.deadline)
      else {
        nextWatch = time + watchInterval
        // It may have written something more before it ended.
        if (this.#watch.findGone?.() && this.#readNow() <= 0) this.end()
      }
    }
  }

  /** As #readNow, but sleeps until there is something; -1 when the guard has ended that. */
  #readGuarded(): number {
    const { guard } = this.#watch
    try {
      if (this.#blockingFd === undefined) {
        this.#blockingFd = openSync(`/proc/self/fd/${this.#readFd}`, 'r')
        this.#markersSeen = guard?.countMarkers(this.#blockingFd) ?? 0
      }
      guard?.begin(this.#blockingFd)
      const length = readSync(this.#blockingFd, this.#chunk, 0, readSize, null)
      return length > 0 ? this.#feed(length) : 0
    } catch {
      return this.#readNow()
    } finally {
      guard?.end()
    }
  }

  /** Hands what was read to the inbox, without the guard's marker; -1 when that was all. */
  #feed(length: number): number {
    const { guard } = this.#watch
    let kept = length
    if (guard && this.#blockingFd !== undefined && guard.countMarkers(this.#blockingFd) !== this.#markersSeen) {
      kept = guard.removeMarker(this.#chunk, length)
      if (kept === -1) kept = length
      else this.#markersSeen++
    }
    if (kept === 0) return -1
    this.#inbox.feed(this.#chunk, kept)
    return kept
  }

  /** Bytes from the event loop; the socket wants to know whether to read on. */
  #take(length: number): boolean {
    if (this.#feed(length) > 0) this.#parse(this.#receive)
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

  /** Bytes read into the chunk and fed; 0 at the end of the stream; -1 when there is nothing now. */
  #readNow(): number {
    const limit = Error.stackTraceLimit
    // Nothing to read is an exception in Node: without its stack it costs half.
    Error.stackTraceLimit = 0
    try {
      const length = readSync(this.#readFd, this.#chunk, 0, readSize, null)
      return length > 0 ? this.#feed(length) : 0
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? -1 : 0
    } finally {
      Error.stackTraceLimit = limit
    }
  }

  #write(bytes: Buffer, start: number, end: number): number {
    try {
      return writeSync(this.#writeFd, bytes, start, end - start)
    } catch {
      // No room now, or nobody reads any more: the reading side will tell which.
      return 0
    }
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
