/** The closed set of error codes, so that a `switch` over it can be exhaustive. */
export type XPCErrorCode =
  | 'timeout'
  | 'encoding'
  | 'decoding'
  | 'noHandler'
  | 'handlerFailed'
  | 'connectionLost'
  | 'cancelled'
  | 'wouldDeadlock'
  | 'unsupported'
  | 'protocol'
  | 'duplicateHandler'
  | 'overflow'

export interface XPCErrorFacts {
  /** Name of the failed message; absent if the connection itself failed. */
  messageName?: string | undefined
  /** Path in the content or the answer, such as `user.tags[2]`. */
  path?: string | undefined
  /** The variable part of the message: a time, an exit signal, or the expected type. */
  detail?: string | undefined
  /** The error thrown by the handler on the other side, with its name, message, stack and cause. */
  remote?: Error | undefined
  cause?: unknown
}

type Sentence = (message: string, detail: string) => string

const sentences: Record<XPCErrorCode, Sentence> = {
  timeout: (message, detail) => `${message} was not answered within ${detail}`,
  encoding: (message, detail) => `${message} cannot be written: ${detail}`,
  decoding: (message, detail) => `${message} does not have the expected type: ${detail}`,
  noHandler: (message) => `no handler is registered for ${message}`,
  handlerFailed: (message, detail) => `the handler of ${message} failed: ${detail}`,
  connectionLost: (message, detail) => `the connection was lost during ${message}: ${detail}`,
  cancelled: (message) => `${message} was cancelled`,
  wouldDeadlock: (message, detail) => `${message} can never be answered: ${detail}`,
  unsupported: (message, detail) => `${message} is not possible here: ${detail}`,
  protocol: (_message, detail) => `the other side broke the protocol: ${detail}`,
  duplicateHandler: (message) => `a handler is already registered for ${message}`,
  overflow: (message, detail) => `${message} was not queued: ${detail}`,
}

export function isXPCErrorCode(value: unknown): value is XPCErrorCode {
  return typeof value === 'string' && Object.hasOwn(sentences, value)
}

/** The only error class of the channel. `code` is for programs and `message` for people. */
export class XPCError extends Error {
  override readonly name = 'XPCError'
  readonly code: XPCErrorCode
  readonly messageName: string | undefined
  readonly path: string | undefined
  readonly remote: Error | undefined
  /** The part of the message that the code does not determine; it is sent in ERR frames. */
  readonly detail: string

  constructor(code: XPCErrorCode, facts: XPCErrorFacts = {}) {
    const subject = facts.messageName === undefined ? 'the connection' : `message '${facts.messageName}'`
    const place = facts.path ? `${facts.path}: ` : ''
    const cause = facts.cause ?? facts.remote
    super(sentences[code](subject, place + (facts.detail ?? '')), cause === undefined ? undefined : { cause })
    this.code = code
    this.messageName = facts.messageName
    this.path = facts.path
    this.remote = facts.remote
    this.detail = facts.detail ?? ''
  }
}
