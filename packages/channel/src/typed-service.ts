import type { MessageShape, Messages, ReceivedAnswer, ReceivedContent, SentAnswer, SentContent } from './catalogue.ts'
import type { Descriptor } from './descriptor.ts'
import type { MessageContext } from './peer/message-context.ts'
import type { AnyHandler } from './conversions.ts'
import type { Disposer, Result, SendAsyncOptions, SendOptions, ServiceVerbs } from './service-verbs.ts'

/** The content may be omitted if the message has none. */
type Arguments<S extends MessageShape, Options> = S extends { content: Descriptor }
  ? [content: SentContent<S>, options?: Options]
  : [content?: undefined, options?: Options]

type Own<O> = Omit<O, 'encoding'>

/** The verbs of a service over one catalogue of messages; created by `xpcService.with(messages)`. */
export class TypedService<const M extends Messages> {
  readonly #service: ServiceVerbs
  readonly #messages: M

  constructor(service: ServiceVerbs, messages: M) {
    this.#service = service
    this.#messages = messages
  }

  /**
   * Sends a message and blocks until its handler has answered.
   *
   * @throws XPCError.
   */
  send<K extends keyof M & string>(name: K, ...rest: Arguments<M[K], Own<SendOptions>>): ReceivedAnswer<M[K]> {
    const [content, options] = rest
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the descriptor of this type
    return this.#service.send(name, content, { ...options, ...this.#sentTypes(name) }) as ReceivedAnswer<M[K]>
  }

  /** Sends a message without blocking. */
  sendAsync<K extends keyof M & string>(
    name: K,
    ...rest: Arguments<M[K], Own<SendAsyncOptions>>
  ): Promise<ReceivedAnswer<M[K]>>
  sendAsync<K extends keyof M & string>(
    name: K,
    content: SentContent<M[K]>,
    options: Own<SendAsyncOptions>,
    completion: (result: Result<ReceivedAnswer<M[K]>>) => void,
  ): void
  sendAsync(
    name: string,
    content?: unknown,
    options?: Own<SendAsyncOptions>,
    completion?: (result: Result<never>) => void,
  ): unknown {
    const typed = { ...options, ...this.#sentTypes(name) }
    return completion
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer is decoded by its descriptor
        this.#service.sendAsync(name, content, typed, completion as (result: Result<unknown>) => void)
      : this.#service.sendAsync(name, content, typed)
  }

  /** Sends a message without waiting for an answer. */
  post<K extends keyof M & string>(name: K, ...rest: Arguments<M[K], never>): void {
    this.#service.post(name, rest[0], { encoding: this.#messages[name]?.content })
  }

  /**
   * Registers the handler of a message.
   *
   * @throws XPCError `duplicateHandler`.
   */
  on<K extends keyof M & string>(
    name: K,
    handler: (content: ReceivedContent<M[K]>, context: MessageContext) => SentAnswer<M[K]> | Promise<SentAnswer<M[K]>>,
  ): Disposer {
    const { content, answer } = this.#messages[name] ?? {}
    const types = { ...(content && { decoding: content }), ...(answer && { encoding: answer }) }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the descriptor of its type
    return this.#service.on(name, types, handler as AnyHandler as () => void)
  }

  #sentTypes(name: string): { encoding: Descriptor | undefined; decoding: Descriptor } {
    const { content, answer } = this.#messages[name] ?? {}
    // If the message has no answer, the decoded value is dropped, so any value is accepted.
    return { encoding: content, decoding: answer ?? Object }
  }
}
