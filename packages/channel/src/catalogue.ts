import type { Decoded, Descriptor, Encoded } from './descriptor.ts'

/** What one message carries: its content, its answer, both or neither. */
export interface MessageShape {
  readonly content?: Descriptor
  readonly answer?: Descriptor
}

export type Messages = Readonly<Record<string, MessageShape>>

/** The messages of an app, by name: both sides import it, and the compiler checks every use. */
export function defineMessages<const M extends Messages>(messages: M): M {
  return messages
}

/** What a sender gives. */
export type SentContent<S extends MessageShape> = S extends { content: infer D } ? Encoded<D> : undefined
/** What a handler gets. */
export type ReceivedContent<S extends MessageShape> = S extends { content: infer D } ? Decoded<D> : undefined
/** What a sender gets back. */
export type ReceivedAnswer<S extends MessageShape> = S extends { answer: infer D } ? Decoded<D> : void
/** What a handler returns. */
export type SentAnswer<S extends MessageShape> = S extends { answer: infer D } ? Encoded<D> : void
