/** Exports that both sides share: the catalogue of messages, the type descriptors and the error. */
export { defineMessages, type Messages, type MessageShape } from './catalogue.ts'
export type { Decoded, Descriptor, Encoded, EncodableClass, StandardSchema } from './descriptor.ts'
export type { Encodable } from './value/encode.ts'
export { XPCError, type XPCErrorCode } from './xpc-error.ts'
