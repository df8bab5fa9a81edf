import type { Descriptor } from './descriptor.ts'
import type { MessageContext } from './peer/message-context.ts'
import type { XPCError } from './xpc-error.ts'

export interface SendOptions {
  /** Milliseconds until the request fails with `timeout`; default 10,000. `Infinity` disables the timeout. */
  readonly timeout?: number | undefined
  /** Checks the content before it is written. */
  readonly encoding?: Descriptor | undefined
}

export interface SendAsyncOptions extends SendOptions {
  /** Aborting it fails the request with `cancelled` and aborts the handler's own signal. */
  readonly signal?: AbortSignal | undefined
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: XPCError }

/** Removes a handler; also usable with `using`. */
export interface Disposer {
  (): void
  [Symbol.dispose](): void
}

/** The verbs that a typed service calls. `XPCService` implements them. */
export interface ServiceVerbs {
  send(name: string, content: unknown, options: SendOptions & { readonly decoding: Descriptor }): unknown
  sendAsync(
    name: string,
    content: unknown,
    options: SendAsyncOptions & { readonly decoding: Descriptor },
  ): Promise<unknown>
  sendAsync(
    name: string,
    content: unknown,
    options: SendAsyncOptions & { readonly decoding: Descriptor },
    completion: (result: Result<unknown>) => void,
  ): void
  post(name: string, content: unknown, options: { readonly encoding?: Descriptor | undefined }): void
  on(name: string, types: object, handler: (content: undefined, context: MessageContext) => void): Disposer
}
