import { now } from '../host-clock.ts'
import { emptyFrame, FrameKind, protocolVersion, type Attachment, type Frame } from '../wire/frame.ts'
import { XPCError } from '../xpc-error.ts'
import { SynchronousAmbient, type Ambient } from './ambient.ts'
import { DeadlineTimer } from './deadline-timer.ts'
import { readFailure } from './failure.ts'
import { type Greeting, readGreeting } from './greeting.ts'
import type { Link, LinkEvents } from './link.ts'
import { Pending } from './pending.ts'
import { PendingRequests } from './pending-requests.ts'
import { Reception, type Handler } from './reception.ts'

export interface PeerEvents {
  onHello?(greeting: Greeting): void
  onBye?(): void
  onLost?(error: XPCError): void
}

/**
 * One end of a conversation, which works the same on both sides. It numbers requests and matches their answers, runs
 * handlers in the order of the messages, and keeps deadlines. Bytes are the concern of its link.
 */
export class Peer implements LinkEvents {
  readonly #events: PeerEvents
  readonly #ambient: Ambient
  readonly #reception: Reception
  readonly #pending = new PendingRequests()
  readonly #deadlines = new DeadlineTimer(() => this.#expire())
  /** Requests that this side is blocked on, outermost first. */
  readonly #blocked: Pending[] = []
  #link: Link | undefined
  #lastId = 0
  #isOpen = false
  #isGreeted = false
  #takesTexts = false
  #lost: { code: 'connectionLost' | 'protocol'; detail: string } | undefined

  constructor(events: PeerEvents = {}, ambient: Ambient = new SynchronousAmbient()) {
    this.#events = events
    this.#ambient = ambient
    this.#reception = new Reception(ambient, {
      peer: this,
      findLink: () => (this.#lost ? undefined : this.#link),
      isAwaited: (frame) => this.#isAwaitedByBlock(frame),
      takesTexts: () => this.#takesTexts,
      nameBlocked: () => this.#blocked.at(-1)?.name,
      lose: (detail) => this.lose('protocol', detail),
    })
  }

  /** Sets the link that will carry the frames; frames sent before `open` wait. */
  attach(link: Link): void {
    this.#link = link
  }

  /** Starts a conversation over a link with this side's HELLO. */
  open(link: Link, greeting: Greeting): void {
    this.#link = link
    this.#isOpen = true
    this.#isGreeted = false
    const text = JSON.stringify({ version: protocolVersion, ...greeting })
    link.send({ ...emptyFrame, kind: FrameKind.hello, text })
    link.flush()
    if (this.#reception.isReady) this.#sendReady(link)
    this.#updateRef()
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** True if the other side accepts long texts as attachments. */
  get takesTexts(): boolean {
    return this.#takesTexts
  }

  get canBlock(): boolean {
    return this.#link?.block !== undefined
  }

  /**
   * Registers a handler and returns a function that removes it.
   *
   * @throws XPCError `duplicateHandler`.
   */
  setHandler(name: string, handler: Handler): () => void {
    const remove = this.#reception.setHandler(name, handler)
    this.#updateRef()
    return () => {
      remove()
      this.#updateRef()
    }
  }

  /**
   * Sets the handler to use if none is registered. A second call replaces it, and it does not keep the process alive.
   */
  setDefaultHandler(name: string, handler: Handler): void {
    this.#reception.setDefaultHandler(name, handler)
  }

  /** Starts handling messages, beginning with those that waited. */
  becomeReady(): void {
    if (this.#reception.isReady) return
    if (this.#link && this.#isOpen && !this.#lost) this.#sendReady(this.#link)
    this.#reception.becomeReady()
  }

  /**
   * Sends a request that times out after `timeoutMs` milliseconds.
   *
   * @throws XPCError `connectionLost`, `overflow` or `encoding`; nothing was written then.
   */
  ask(name: string, text: string, attachments: readonly Attachment[], timeoutMs: number, blocked: boolean): Pending {
    const link = this.#requireLink(name)
    const id = this.#lastId === 0xffffffff ? (this.#lastId = 1) : ++this.#lastId
    link.send({ kind: FrameKind.request, blocked, id, parent: this.#parentId(), name, text, attachments })
    const pending = new Pending(id, name, timeoutMs, now())
    this.#pending.add(pending)
    if (blocked) return pending
    if (this.#pending.size === 1) this.#updateRef()
    this.#deadlines.schedule(pending.deadline)
    link.flush()
    return pending
  }

  /**
   * Blocks until the answer arrives, and handles other messages meanwhile.
   *
   * @throws XPCError with which the request failed.
   */
  block(pending: Pending): Frame {
    const link = this.#requireLink(pending.name)
    this.#blocked.push(pending)
    try {
      link.block?.(pending)
    } finally {
      this.#blocked.pop()
    }
    if (!pending.settled) this.#giveUp(pending, 'timeout')
    if (pending.response) return pending.response
    throw pending.error ?? new XPCError('connectionLost', { messageName: pending.name })
  }

  /** Stops waiting for the answer and tells the other side. */
  giveUp(pending: Pending, code: 'timeout' | 'cancelled'): void {
    if (!pending.settled) this.#giveUp(pending, code)
  }

  post(name: string, text: string, attachments: readonly Attachment[]): void {
    const link = this.#requireLink(name)
    link.send({ kind: FrameKind.post, blocked: false, id: 0, parent: this.#parentId(), name, text, attachments })
    link.flushSoon()
  }

  async drained(): Promise<void> {
    await this.#requireLink('').drained()
  }

  /** Sends BYE and ends the connection. */
  close(): void {
    const link = this.#link
    if (!link || this.#lost) return
    try {
      link.send({ ...emptyFrame, kind: FrameKind.bye })
    } catch {
      // The queue is full, so BYE is left out; the end of the stream has the same meaning.
    }
    link.flush()
    this.lose('connectionLost', 'the connection was closed')
  }

  receive(frame: Frame): void {
    if (this.#lost) return
    if (!this.#isGreeted) return this.#greet(frame)
    switch (frame.kind) {
      case FrameKind.request:
      case FrameKind.post:
        return this.#reception.accept(frame)
      case FrameKind.response:
        return this.#settle(frame.id, frame, undefined)
      case FrameKind.error:
        return this.#settle(frame.id, undefined, readFailure(frame, this.#pending.find(frame.id)?.name))
      case FrameKind.cancel:
        return this.#reception.cancel(frame.id)
      case FrameKind.bye:
        return this.#events.onBye?.()
      case FrameKind.hello:
        return this.lose('protocol', 'a second HELLO')
      default:
    }
  }

  lose(code: 'connectionLost' | 'protocol', detail: string): void {
    if (this.#lost) return
    this.#lost = { code, detail }
    this.#link?.close()
    this.#deadlines.clear()
    this.#failAll(code, detail)
    this.#events.onLost?.(new XPCError(code, { detail }))
  }

  /**
   * Ends the conversation while the link will open another. The requests in `spared` are kept, because they were not
   * part of it.
   */
  abandon(detail: string, spared: ReadonlySet<number>): void {
    this.#isOpen = false
    this.#isGreeted = false
    this.#failAll('connectionLost', detail, spared)
  }

  #failAll(code: 'connectionLost' | 'protocol', detail: string, spared?: ReadonlySet<number>): void {
    this.#reception.cancelAll()
    for (const pending of this.#pending.list()) {
      if (spared?.has(pending.id)) continue
      this.#settle(pending.id, undefined, new XPCError(code, { messageName: pending.name, detail }))
    }
  }

  #greet(frame: Frame): void {
    if (frame.kind !== FrameKind.hello) return this.lose('protocol', 'a frame before HELLO')
    const { greeting, fault } = readGreeting(frame.text)
    if (!greeting) return this.lose('protocol', fault)
    this.#isGreeted = true
    this.#takesTexts = greeting['texts'] === true
    this.#events.onHello?.(greeting)
  }

  #sendReady(link: Link): void {
    link.send({ ...emptyFrame, kind: FrameKind.ready })
    link.flush()
  }

  #requireLink(name: string): Link {
    if (this.#lost) throw new XPCError(this.#lost.code, { messageName: name, detail: this.#lost.detail })
    if (!this.#link)
      throw new XPCError('connectionLost', { messageName: name, detail: 'the connection was never opened' })
    return this.#link
  }

  #parentId(): number {
    const scope = this.#ambient.getStore()
    return scope?.peer === this ? scope.id : 0
  }

  #settle(id: number, response: Frame | undefined, error: XPCError | undefined): void {
    const pending = this.#pending.find(id)
    // This is a late answer, and its request has already failed.
    if (!pending) return
    this.#pending.delete(pending)
    if (this.#pending.size === 0) this.#updateRef()
    pending.settle(response, error)
  }

  #giveUp(pending: Pending, code: 'timeout' | 'cancelled'): void {
    const error = new XPCError(code, { messageName: pending.name, detail: `${pending.timeoutMs} ms` })
    this.#settle(pending.id, undefined, error)
    if (this.#lost || !this.#link) return
    try {
      this.#link.send({ ...emptyFrame, kind: FrameKind.cancel, id: pending.id })
      this.#link.flush()
    } catch {
      // The queue is full because the other side does not read, so it would not read the CANCEL either.
    }
  }

  #expire(): void {
    const time = now()
    let next = Infinity
    for (const pending of this.#pending.list()) {
      if (pending.deadline <= time) this.#giveUp(pending, 'timeout')
      else if (!this.#blocked.includes(pending)) next = Math.min(next, pending.deadline)
    }
    if (next < Infinity) this.#deadlines.schedule(next)
  }

  /**
   * An app with handlers stays alive to wait for messages; one that never registered a handler ends as it would without
   * the channel.
   */
  #updateRef(): void {
    this.#link?.setRef(this.#reception.hasHandlers || this.#pending.size > 0)
  }

  /**
   * True if the sender of this frame, or a blocked request of this side, cannot continue before the frame is handled.
   */
  #isAwaitedByBlock(frame: Frame): boolean {
    if (this.#blocked.length === 0) return false
    return frame.blocked || this.#blocked.some((pending) => pending.id === frame.parent)
  }
}
