/**
 * Reads protocol buffers without a schema. A message is a run of fields, each a key (varint: number × 8 + wire type)
 * and a value. Wire type 0 is a varint, 1 is eight bytes, 2 is a length (varint) and as many bytes, 5 is four bytes. A
 * truncated message throws a RangeError.
 */
export interface ProtoField {
  number: number
  /** The low 32 bits of a varint (wire type 0). No field that we read is larger. */
  value: number
  /** The bytes of a length-delimited field (wire type 2); empty for other wire types. */
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

/** Finds the last field with that number, because in protocol buffers the last occurrence wins. */
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
