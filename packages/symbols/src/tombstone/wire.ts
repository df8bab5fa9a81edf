/**
 * Reader of the wire format of Protocol Buffers. A field is a key (varint: number × 8 + wire type) and its value:
 *   0 varint · 1 eight bytes · 2 length (varint) and bytes · 5 four bytes
 * Groups (3 and 4) are not part of version 3 of the language; a message ends at one, as at any other damage.
 */
export interface WireField {
  number: number
  /** A number, for the wire types 0, 1 and 5; a signed one has 64 bits. */
  value: bigint
  /** The bytes of wire type 2; empty for the others. */
  bytes: Buffer
}

/** Calls `take` for each field of a message and returns whether the message was read to its end. */
export function readFields(message: Buffer, take: (field: WireField) => void): boolean {
  let at = 0
  const varint = (): bigint | undefined => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) return undefined
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    return undefined
  }
  while (at < message.length) {
    const key = varint()
    if (key === undefined || key >= 2n ** 32n) return false
    const field: WireField = { number: Number(key >> 3n), value: 0n, bytes: noBytes }
    if (field.number === 0) return false
    switch (Number(key & 7n)) {
      case 0: {
        const value = varint()
        if (value === undefined) return false
        field.value = value
        break
      }
      case 1:
        if (at + 8 > message.length) return false
        field.value = message.readBigUInt64LE(at)
        at += 8
        break
      case 2: {
        const length = varint()
        if (length === undefined || length > BigInt(message.length - at)) return false
        field.bytes = message.subarray(at, at + Number(length))
        at += Number(length)
        break
      }
      case 5:
        if (at + 4 > message.length) return false
        field.value = BigInt(message.readUInt32LE(at))
        at += 4
        break
      default:
        return false
    }
    take(field)
  }
  return true
}

const noBytes = Buffer.alloc(0)

/** Text of a field. Bytes that are no UTF-8 become U+FFFD; some strings of the system end in a zero byte. */
export function toWireText({ bytes }: WireField, maxBytes: number): string {
  return bytes.toString('utf8', 0, maxBytes).replaceAll('\0', '')
}
