import type { Decoded, Descriptor, Encoded } from './descriptor.ts'

/** Describes one message: its content, its answer, both or neither. */
export interface MessageShape {
  readonly content?: Descriptor
  readonly answer?: Descriptor
}

export type Messages = Readonly<Record<string, MessageShape>>

/** Defines the messages of an app by name. Both sides import the result, and the compiler checks every use. */
export function defineMessages<const M extends Messages>(messages: M): M {
  return messages
}

/** Type of the content that a sender passes. */
export type SentContent<S extends MessageShape> = S extends { content: infer D } ? Encoded<D> : undefined
/** Type of the content that a handler receives. */
export type ReceivedContent<S extends MessageShape> = S extends { content: infer D } ? Decoded<D> : undefined
/** Type of the answer that a sender receives. */
export type ReceivedAnswer<S extends MessageShape> = S extends { answer: infer D } ? Decoded<D> : void
/** Type of the answer that a handler returns. */
export type SentAnswer<S extends MessageShape> = S extends { answer: infer D } ? Encoded<D> : void
