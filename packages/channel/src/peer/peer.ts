import { now } from '../host-clock.ts'
import { FrameKind, noAttachments, protocolVersion, type Attachment, type Frame } from '../wire/frame.ts'
import { XPCError } from '../xpc-error.ts'
import { SynchronousAmbient, type Ambient } from './ambient.ts'
import { DeadlineTimer } from './deadline-timer.ts'
import { readFailure } from './failure.ts'
import type { Link, LinkEvents } from './link.ts'
import { Pending } from './pending.ts'
import { PendingRequests } from './pending-requests.ts'
import { Reception, type Handler } from './reception.ts'

/** What one side says of itself in its HELLO, besides the version. */
export type Greeting = Record<string, unknown>

export interface PeerEvents {
  onHello?(greeting: Greeting): void
  onBye?(): void
  onLost?(error: XPCError): void
}

/**
 * One end of a conversation, the same on both sides: numbers requests and matches their answers, runs handlers in
 * the order in which messages came, and keeps deadlines. It knows nothing of bytes: that is the link's.
 */
export class Peer implements LinkEvents {
  readonly #events: PeerEvents
  readonly #ambient: Ambient
  readonly #reception: Reception
  readonly #pending = new PendingRequests()
  readonly #deadlines = new DeadlineTimer(() => this.#expire())
  /** The requests that this side is blocked on, outermost first. */
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

  /** Takes the link that will carry what is sent; until it opens, that waits. */
  attach(link: Link): void {
    this.#link = link
  }

  /** Starts a conversation over a link, with this side's HELLO. */
  open(link: Link, greeting: Greeting): void {
    this.#link = link
    this.#isOpen = true
    this.#isGreeted = false
    link.send(
      FrameKind.hello,
      false,
      0,
      0,
      '',
      JSON.stringify({ version: protocolVersion, ...greeting }),
      noAttachments,
    )
    link.flush()
    if (this.#reception.isReady) this.#sendReady(link)
    this.#updateRef()
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** True when the other side takes long texts as attachments. */
  get takesTexts(): boolean {
    return this.#takesTexts
  }

  get canBlock(): boolean {
    return this.#link?.block !== undefined
  }

  /** Throws XPCError `duplicateHandler`; returns what takes the handler back. */
  setHandler(name: string, handler: Handler): () => void {
    const remove = this.#reception.setHandler(name, handler)
    this.#updateRef()
    return () => {
      remove()
      this.#updateRef()
    }
  }

  /** What answers where no handler is registered; setting it again replaces it, and it keeps no process alive. */
  setDefaultHandler(name: string, handler: Handler): void {
    this.#reception.setDefaultHandler(name, handler)
  }

  /** From now on messages are handled as they come; those that waited go first. */
  becomeReady(): void {
    if (this.#reception.isReady) return
    if (this.#link && this.#isOpen && !this.#lost) this.#sendReady(this.#link)
    this.#reception.becomeReady()
  }

  /** Sends a request. Throws XPCError `connectionLost`, `overflow`, `encoding`: then nothing was written. */
  ask(name: string, text: string, attachments: readonly Attachment[], timeout: number, blocked: boolean): Pending {
    const link = this.#requireLink(name)
    const id = this.#lastId === 0xffffffff ? (this.#lastId = 1) : ++this.#lastId
    link.send(FrameKind.request, blocked, id, this.#parentId(), name, text, attachments)
    const pending = new Pending(id, name, timeout, now())
    this.#pending.add(pending)
    if (blocked) return pending
    if (this.#pending.size === 1) this.#updateRef()
    this.#deadlines.schedule(pending.deadline)
    link.flush()
    return pending
  }

  /** Waits for the answer on this stack, and handles meanwhile what comes. */
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

  /** Stops waiting, and tells the other side. */
  giveUp(pending: Pending, code: 'timeout' | 'cancelled'): void {
    if (!pending.settled) this.#giveUp(pending, code)
  }

  post(name: string, text: string, attachments: readonly Attachment[]): void {
    const link = this.#requireLink(name)
    link.send(FrameKind.post, false, 0, this.#parentId(), name, text, attachments)
    link.flushSoon()
  }

  async drained(): Promise<void> {
    await this.#requireLink('').drained()
  }

  /** Says that nothing follows, and ends the connection. */
  close(): void {
    const link = this.#link
    if (!link || this.#lost) return
    try {
      link.send(FrameKind.bye, false, 0, 0, '', '', noAttachments)
    } catch {
      // Too much is queued for one more frame: the end of the stream says the same.
    }
    link.flush()
    this.lose('connectionLost', 'it was closed')
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

  /** The conversation is over, and the link will open another; the requests in `spared` were not part of it. */
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
    let greeting: unknown
    try {
      greeting = JSON.parse(frame.text)
    } catch {
      return this.lose('protocol', 'a HELLO that is not JSON')
    }
    if (typeof greeting !== 'object' || greeting === null) return this.lose('protocol', 'a HELLO that is no object')
    const { version, texts } = greeting as Greeting
    if (version !== protocolVersion) {
      return this.lose('protocol', `it speaks version ${String(version)}, this side version ${protocolVersion}`)
    }
    this.#isGreeted = true
    this.#takesTexts = texts === true
    this.#events.onHello?.(greeting as Greeting)
  }

  #sendReady(link: Link): void {
    link.send(FrameKind.ready, false, 0, 0, '', '', noAttachments)
    link.flush()
  }

  #requireLink(name: string): Link {
    if (this.#lost) throw new XPCError(this.#lost.code, { messageName: name, detail: this.#lost.detail })
    if (!this.#link) throw new XPCError('connectionLost', { messageName: name, detail: 'it was never opened' })
    return this.#link
  }

  #parentId(): number {
    const scope = this.#ambient.getStore()
    return scope?.peer === this ? scope.id : 0
  }

  #settle(id: number, response: Frame | undefined, error: XPCError | undefined): void {
    const pending = this.#pending.find(id)
    // A late answer: its asker has given up.
    if (!pending) return
    this.#pending.delete(pending)
    if (this.#pending.size === 0) this.#updateRef()
    pending.settle(response, error)
  }

  #giveUp(pending: Pending, code: 'timeout' | 'cancelled'): void {
    this.#settle(
      pending.id,
      undefined,
      new XPCError(code, { messageName: pending.name, detail: `${pending.timeout} ms` }),
    )
    if (this.#lost || !this.#link) return
    try {
      this.#link.send(FrameKind.cancel, false, pending.id, 0, '', '', noAttachments)
      this.#link.flush()
    } catch {
      // The other side does not read: it will not miss the hint either.
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

  /** An app that only waits for messages stays alive; one that never registered a handler ends as it would alone. */
  #updateRef(): void {
    this.#link?.setRef(this.#reception.hasHandlers || this.#pending.size > 0)
  }

  /** True when the sender of this frame, or this side's own blocked request, cannot go on before it is handled. */
  #isAwaitedByBlock(frame: Frame): boolean {
    if (this.#blocked.length === 0) return false
    return frame.blocked || this.#blocked.some((pending) => pending.id === frame.parent)
  }
}
