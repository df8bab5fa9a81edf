import type { Messages } from './catalogue.ts'
import { decodeAnswer, encodeContent, toHandler, type AnyHandler } from './conversions.ts'
import type { Decoded, Descriptor, Encoded } from './descriptor.ts'
import type { MessageContext } from './peer/message-context.ts'
import type { Peer } from './peer/peer.ts'
import type { Pending } from './peer/pending.ts'
import type { Disposer, Result, SendAsyncOptions, SendOptions, ServiceVerbs } from './service-verbs.ts'
import { TypedService } from './typed-service.ts'
import type { Attachment } from './wire/frame.ts'
import { XPCError } from './xpc-error.ts'

/** Default time in milliseconds after which a request fails. */
const defaultTimeoutMs = 10_000

type MaybePromise<T> = T | Promise<T>

/** The verbs of the channel, which are the same on both sides. */
export class XPCService implements ServiceVerbs {
  readonly #peer: Peer

  constructor(peer: Peer) {
    this.#peer = peer
  }

  /**
   * Sends a message and blocks until its handler has answered.
   *
   * @throws XPCError; at once with `unsupported` if the transport needs the event loop that it would block (a web
   * page). Use `sendAsync` there.
   */
  send<D extends Descriptor>(
    name: string,
    content: unknown,
    options: SendOptions & { readonly decoding: D },
  ): Decoded<D>
  send(name: string, content?: unknown, options?: SendOptions): void
  send(name: string, content?: unknown, options: SendOptions & { readonly decoding?: Descriptor } = {}): unknown {
    const peer = this.#peer
    if (!peer.canBlock && !peer.isLost) {
      throw new XPCError('unsupported', { messageName: name, detail: 'a blocking send; use sendAsync' })
    }
    const attachments: Attachment[] = []
    const text = encodeContent(name, content, options.encoding, attachments, peer.takesTexts)
    const pending = peer.ask(name, text, attachments, options.timeout ?? defaultTimeoutMs, true)
    return decodeAnswer(name, options.decoding, peer.block(pending))
  }

  /** Sends a message without blocking. Returns a promise, or calls `completion` exactly once with a Result. */
  sendAsync<D extends Descriptor>(
    name: string,
    content: unknown,
    options: SendAsyncOptions & { readonly decoding: D },
    completion: (result: Result<Decoded<D>>) => void,
  ): void
  sendAsync(
    name: string,
    content: unknown,
    options: SendAsyncOptions,
    completion: (result: Result<undefined>) => void,
  ): void
  sendAsync<D extends Descriptor>(
    name: string,
    content: unknown,
    options: SendAsyncOptions & { readonly decoding: D },
  ): Promise<Decoded<D>>
  sendAsync(name: string, content?: unknown, options?: SendAsyncOptions): Promise<void>
  sendAsync(
    name: string,
    content?: unknown,
    options: SendAsyncOptions & { readonly decoding?: Descriptor } = {},
    completion?: (result: Result<never>) => void,
  ): Promise<unknown> | void {
    const answer = new Promise<unknown>((resolve, reject) => {
      const attachments: Attachment[] = []
      const text = encodeContent(name, content, options.encoding, attachments, this.#peer.takesTexts)
      if (options.signal?.aborted) throw new XPCError('cancelled', { messageName: name, cause: options.signal.reason })
      const pending = this.#peer.ask(name, text, attachments, options.timeout ?? defaultTimeoutMs, false)
      const stopListening = options.signal && this.#cancelOn(options.signal, pending)
      pending.onSettled = ({ response, error }) => {
        stopListening?.()
        if (!response) return reject(error)
        try {
          resolve(decodeAnswer(name, options.decoding, response))
        } catch (failure) {
          reject(failure)
        }
      }
    })
    if (!completion) return answer
    answer.then(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the caller's descriptor
      (value) => completion({ ok: true, value: value as never }),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `send` rejects with nothing else
      (error: unknown) => completion({ ok: false, error: error as XPCError }),
    )
  }

  /**
   * Sends a message without waiting for an answer.
   *
   * @throws XPCError `encoding`, `connectionLost` or `overflow`.
   */
  post(name: string, content?: unknown, options: { readonly encoding?: Descriptor | undefined } = {}): void {
    const attachments: Attachment[] = []
    const text = encodeContent(name, content, options.encoding, attachments, this.#peer.takesTexts)
    this.#peer.post(name, text, attachments)
  }

  /**
   * Registers the handler of a message. Without `decoding`, its content is undefined; without `encoding`, its result is
   * not sent.
   *
   * @throws XPCError `duplicateHandler`.
   */
  on<P extends Descriptor, A extends Descriptor>(
    name: string,
    types: { readonly decoding: P; readonly encoding: A },
    handler: (content: Decoded<P>, context: MessageContext) => MaybePromise<Encoded<A>>,
  ): Disposer
  on<P extends Descriptor>(
    name: string,
    types: { readonly decoding: P },
    handler: (content: Decoded<P>, context: MessageContext) => MaybePromise<void>,
  ): Disposer
  on<A extends Descriptor>(
    name: string,
    types: { readonly encoding: A },
    handler: (content: undefined, context: MessageContext) => MaybePromise<Encoded<A>>,
  ): Disposer
  on(
    name: string,
    types: object,
    handler: (content: undefined, context: MessageContext) => MaybePromise<void>,
  ): Disposer
  on(name: string, types: { decoding?: Descriptor; encoding?: Descriptor }, handler: AnyHandler): Disposer {
    if (name.startsWith('$')) {
      throw new XPCError('unsupported', { messageName: name, detail: 'names that start with $ belong to the channel' })
    }
    const dispose = this.#peer.setHandler(name, toHandler(types, handler))
    return Object.assign(dispose, { [Symbol.dispose]: dispose })
  }

  /**
   * Leaves the contents and answers of these messages out of the test's transcript. An app calls it where it registers
   * their handlers: what it says before it is ready holds for all messages that the test has sent by then too.
   */
  keepSecret(...names: readonly string[]): void {
    this.post('$secret', names)
  }

  /** Returns the same verbs over a catalogue of messages; the compiler checks names, contents and answers. */
  with<const M extends Messages>(messages: M): TypedService<M> {
    return new TypedService(this, messages)
  }

  /** Resolves when everything posted so far was written to the pipe or handed to the page. */
  async flush(): Promise<void> {
    await this.#peer.drained()
  }

  #cancelOn(signal: AbortSignal, pending: Pending): () => void {
    const cancel = () => this.#peer.giveUp(pending, 'cancelled')
    signal.addEventListener('abort', cancel, { once: true })
    return () => signal.removeEventListener('abort', cancel)
  }
}
