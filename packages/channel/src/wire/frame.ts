/**
 * A frame is one step of a conversation. On a byte stream it is, little endian:
 *
 *     0  u32  length of what follows
 *     4  u8   kind
 *     5  u8   body encoding in the low 7 bits; the top bit says that the sender is blocked until it is answered
 *     6  u16  length of the name in bytes
 *     8  u32  id: numbers this side's requests from 1; an answer repeats the id that it answers; else 0
 *    12  u32  parent: the id of the request (of the reader) in whose handler this was sent; else 0
 *    16       name, UTF-8
 *             body, to the end
 *
 * docs/PROTOCOL.md specifies the same with examples in hex.
 */
export const protocolVersion = 1

export const FrameKind = {
  /** The first frame of each side. Its JSON holds the version and the features of the side. */
  hello: 1,
  request: 2,
  response: 3,
  /** Answers a request that failed. Its JSON holds code, detail, path and remote. */
  error: 4,
  /** A message without an answer. */
  post: 5,
  /** The requesting side no longer waits for the answer to the request with this id. */
  cancel: 6,
  /** The sender is ready: a request that it has no handler for waits before this frame and fails after it. */
  ready: 7,
  /** The last frame of a side. */
  bye: 8,
} as const

export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind]

export const BodyEncoding = {
  none: 0,
  json: 1,
  /** JSON in ASCII only, so that a reader may treat bytes as characters. */
  asciiJson: 2,
  /** u32 count, u32 length of each, the attachments, then JSON in UTF-8 that refers to them by index. */
  attachments: 3,
  /**
   * Like `attachments`, but an attachment whose length has its top bit set is a text. It is sent only to a side that
   * announced support.
   */
  texts: 4,
} as const

/** Set in the encoding byte if the sender is blocked until the answer arrives. */
export const blockedFlag = 0x80

/** Bytes of a frame after its length: kind, encoding, name length, id, parent. */
export const frameHeaderSize = 12

/** Limit for the length of a frame. A longer one ends the connection before anything is allocated. */
export const maxFrameSize = 64 * 1024 * 1024

/** Limit for the length of a message's name, in bytes. */
export const maxNameSize = 1024

/** Limit for the number of attachments of one body. */
export const maxAttachments = 65_536

/** Set in the length of an attachment that is a text, in UTF-8. */
export const textFlag = 0x80000000

/** A part of a body beside its JSON: bytes, or a long text, which would take longer as JSON. */
export type Attachment = Uint8Array | string

/** The text is JSON, or empty if there is no body. */
export interface Frame {
  kind: number
  blocked: boolean
  id: number
  parent: number
  name: string
  text: string
  attachments: readonly Attachment[]
}

export const noAttachments: readonly Attachment[] = []

/** What a frame holds unless it says otherwise; only its kind is missing. */
export const emptyFrame: Omit<Frame, 'kind'> = {
  blocked: false,
  id: 0,
  parent: 0,
  name: '',
  text: '',
  attachments: noAttachments,
}
