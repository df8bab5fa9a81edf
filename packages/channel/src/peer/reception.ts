import { emptyFrame, FrameKind, type Attachment, type Frame } from '../wire/frame.ts'
import { XPCError } from '../xpc-error.ts'
import type { Ambient } from './ambient.ts'
import { reportPostFailure, toConversionFailure, toHandlerFailure, writeFailure, type Failure } from './failure.ts'
import type { Link } from './link.ts'
import { MessageContext } from './message-context.ts'

/** A handler together with the conversions of its content and its answer. */
export interface Handler {
  /**
   * Converts the content.
   *
   * @throws ValueError.
   */
  decodeContent(frame: Frame): unknown
  call(content: unknown, context: MessageContext): unknown
  /**
   * Converts the handler's result to JSON and attachments.
   *
   * @throws ValueError.
   */
  encodeAnswer(answer: unknown, attachments: Attachment[], takesTexts: boolean): string
}

/** The functions of the peer that its reception needs. */
export interface ReceptionHost {
  readonly peer: object
  /** Returns undefined if the connection is lost. */
  findLink(): Link | undefined
  /** True if a side is blocked until this message has been handled. */
  isAwaited(frame: Frame): boolean
  /** True if the other side accepts long texts as attachments. */
  takesTexts(): boolean
  /** Name of the message that this side is blocked on. */
  nameBlocked(): string | undefined
  lose(detail: string): void
}

/** Limit in bytes for messages that wait until this side is ready. */
const maxParked = 64 * 1024 * 1024

/** Handles incoming requests and posts: finds the handler, runs it in order, and sends the answer. */
export class Reception {
  readonly #ambient: Ambient
  readonly #host: ReceptionHost
  readonly #handlers = new Map<string, Handler>()
  readonly #defaults = new Map<string, Handler>()
  /** Asynchronous handlers that are running, by the id of their request. */
  readonly #running = new Map<number, MessageContext>()
  #isReady = false
  readonly #parked: Frame[] = []
  #parkedSize = 0

  constructor(ambient: Ambient, host: ReceptionHost) {
    this.#ambient = ambient
    this.#host = host
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get hasHandlers(): boolean {
    return this.#handlers.size > 0
  }

  setHandler(name: string, handler: Handler): () => void {
    if (this.#handlers.has(name)) throw new XPCError('duplicateHandler', { messageName: name })
    this.#handlers.set(name, handler)
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name)
    }
  }

  setDefaultHandler(name: string, handler: Handler): void {
    this.#defaults.set(name, handler)
  }

  /** Aborts the signal of a handler whose answer is no longer awaited. */
  cancel(id: number): void {
    this.#running.get(id)?.cancel()
  }

  /** Aborts all running handlers at the end of the conversation. */
  cancelAll(): void {
    for (const context of this.#running.values()) context.cancel()
    this.#running.clear()
  }

  accept(frame: Frame): void {
    const mustWait = !this.#isReady || this.#parked.length > 0
    if (!mustWait || this.#host.isAwaited(frame)) return this.#handle(frame)
    this.#parked.push(frame)
    this.#parkedSize += frame.text.length + 200
    for (const attachment of frame.attachments) this.#parkedSize += attachment.length
    if (this.#parkedSize > maxParked) this.#host.lose(`over ${maxParked} bytes sent before READY`)
  }

  /** Starts handling messages, beginning with those that waited. */
  becomeReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    // Messages that arrive meanwhile are appended and handled in order.
    for (const frame of this.#parked) this.#handle(frame)
    this.#parked.length = 0
    this.#parkedSize = 0
  }

  #handle(frame: Frame): void {
    const handler = this.#handlers.get(frame.name) ?? this.#defaults.get(frame.name)
    if (!handler) return this.#fail(frame, { code: 'noHandler', detail: '' })
    let content: unknown
    try {
      content = handler.decodeContent(frame)
    } catch (error) {
      return this.#fail(frame, toConversionFailure('decoding', error))
    }
    const context = new MessageContext(frame.name)
    let answer: unknown
    try {
      answer = this.#call(frame, handler, content, context)
    } catch (error) {
      return this.#fail(frame, toHandlerFailure(error))
    }
    if (!isThenable(answer)) return this.#answer(frame, handler, answer)
    if (frame.kind === FrameKind.post) {
      answer.then(undefined, (error: unknown) => this.#fail(frame, toHandlerFailure(error)))
      return
    }
    if (this.#host.isAwaited(frame)) {
      answer.then(undefined, () => {})
      const outer = this.#host.nameBlocked()
      const detail = `its handler is asynchronous, and its side is blocked in the send of '${outer}'`
      return this.#fail(frame, { code: 'wouldDeadlock', detail })
    }
    this.#running.set(frame.id, context)
    // After the end of its conversation no answer is awaited, and the same id may belong to another request.
    const isOver = () => this.#running.get(frame.id) !== context || !this.#running.delete(frame.id)
    answer.then(
      (value: unknown) => {
        if (!isOver()) this.#answer(frame, handler, value)
      },
      (error: unknown) => {
        if (!isOver()) this.#fail(frame, toHandlerFailure(error))
      },
    )
  }

  /** Runs the handler. If the sender is blocked, messages sent by the handler name this request as their parent. */
  #call(frame: Frame, handler: Handler, content: unknown, context: MessageContext): unknown {
    const ambient = this.#ambient
    const scope = frame.blocked ? { peer: this.#host.peer, id: frame.id } : undefined
    if (scope === ambient.getStore()) return handler.call(content, context)
    return ambient.run(scope, () => handler.call(content, context))
  }

  #answer(frame: Frame, handler: Handler, answer: unknown): void {
    const link = this.#host.findLink()
    if (frame.kind === FrameKind.post || !link) return
    const attachments: Attachment[] = []
    try {
      const text = handler.encodeAnswer(answer, attachments, this.#host.takesTexts())
      link.send({ kind: FrameKind.response, blocked: false, id: frame.id, parent: 0, name: '', text, attachments })
    } catch (error) {
      return this.#fail(frame, toConversionFailure('encoding', error))
    }
    link.flush()
  }

  #fail(frame: Frame, failure: Failure): void {
    if (frame.kind === FrameKind.post) return reportPostFailure(frame.name, failure)
    const link = this.#host.findLink()
    if (!link) return
    const attachments: Attachment[] = []
    const text = writeFailure(failure, attachments)
    try {
      link.send({ ...emptyFrame, kind: FrameKind.error, id: frame.id, text, attachments })
    } catch {
      // The queue is full; the requesting side will time out.
      return
    }
    link.flush()
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
