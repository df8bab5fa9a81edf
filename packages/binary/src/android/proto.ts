/**
 * Protocol buffers as they stand, without a schema: a run of fields, each a key (varint: number × 8 + kind) and a value:
 * kind 0 a varint, 1 eight bytes, 2 a length (varint) and as many bytes, 5 four bytes. What breaks off is a RangeError.
 */
export interface ProtoField {
  number: number
  /** Of kind 0: the low 32 bits, which is all that is needed here. */
  value: number
  /** Of kind 2; empty otherwise. */
  bytes: Buffer
}

const nothing = Buffer.alloc(0)

export function* readProto(message: Buffer): Generator<ProtoField, void> {
  const cursor = { at: 0 }
  while (cursor.at < message.length) {
    const key = readVarint(message, cursor)
    const kind = key & 7
    const number = key >>> 3
    if (kind === 0) {
      yield { number, value: readVarint(message, cursor), bytes: nothing }
      continue
    }
    const length = kind === 2 ? readVarint(message, cursor) : kind === 1 ? 8 : kind === 5 ? 4 : undefined
    if (length === undefined || cursor.at + length > message.length)
      throw new RangeError('a field reaches past the end')
    const bytes = message.subarray(cursor.at, cursor.at + length)
    cursor.at += length
    yield { number, value: kind === 5 ? bytes.readUInt32LE() : 0, bytes }
  }
}

/** The last field of that number, as protocol buffers have it. */
export function findProto(message: Buffer, number: number): ProtoField | undefined {
  let found: ProtoField | undefined
  for (const field of readProto(message)) if (field.number === number) found = field
  return found
}

function readVarint(message: Buffer, cursor: { at: number }): number {
  let value = 0
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = message.readUInt8(cursor.at++)
    if (shift < 32) value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value >>> 0
  }
  throw new RangeError('a number is too long')
}
