import { decodeAs, encodeAs } from './conform.ts'
import type { Descriptor } from './descriptor.ts'
import { toConversionFailure, toXPCError } from './peer/failure.ts'
import type { MessageContext } from './peer/message-context.ts'
import type { Handler } from './peer/reception.ts'
import { decodeValue } from './value/decode.ts'
import { encodeValue } from './value/encode.ts'
import type { Attachment, Frame } from './wire/frame.ts'

export type AnyHandler = (content: never, context: MessageContext) => unknown

/**
 * Converts content to JSON and attachments. The JSON is empty if there is no content.
 *
 * @throws XPCError `encoding`.
 */
export function encodeContent(
  name: string,
  content: unknown,
  descriptor: Descriptor | undefined,
  attachments: Attachment[],
  takesTexts: boolean,
): string {
  if (content === undefined && descriptor === undefined) return ''
  try {
    return encode(content, descriptor, attachments, takesTexts)
  } catch (error) {
    throw toXPCError(toConversionFailure('encoding', error), name)
  }
}

/**
 * Converts an answer to the type that the sender asked for.
 *
 * @throws XPCError `decoding`.
 */
export function decodeAnswer(name: string, descriptor: Descriptor | undefined, frame: Frame): unknown {
  if (descriptor === undefined) return undefined
  try {
    return decodeAs(descriptor, decodeValue(frame.text, frame.attachments))
  } catch (error) {
    throw toXPCError(toConversionFailure('decoding', error), name)
  }
}

export function toHandler(types: { decoding?: Descriptor; encoding?: Descriptor }, call: AnyHandler): Handler {
  const { decoding, encoding } = types
  return {
    decodeContent: (frame) => decoding && decodeAs(decoding, decodeValue(frame.text, frame.attachments)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `decodeContent` has checked it
    call: (content, context) => call(content as never, context),
    encodeAnswer: (answer, attachments, takesTexts) =>
      encoding === undefined ? '' : encode(answer, encoding, attachments, takesTexts),
  }
}

function encode(
  value: unknown,
  descriptor: Descriptor | undefined,
  attachments: Attachment[],
  takesTexts: boolean,
): string {
  const checked = descriptor === undefined ? value : encodeAs(descriptor, value)
  return checked === undefined ? '' : encodeValue(checked, attachments, takesTexts)
}
