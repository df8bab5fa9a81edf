import { outOfRange } from '@fairlead/invariant'

/** The polynomial of CRC-64 in `.xz` files (ECMA-182), reflected, as two halves of 32 bits. */
const [polynomialHigh, polynomialLow] = [0xc96c5795, 0xd7870f42]

const high = new Uint32Array(256)
const low = new Uint32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let [a, b] = [0, byte]
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (b & 1) === 1
    b = ((b >>> 1) | (a << 31)) >>> 0
    a >>>= 1
    if (isOdd) {
      a = (a ^ polynomialHigh) >>> 0
      b = (b ^ polynomialLow) >>> 0
    }
  }
  high[byte] = a
  low[byte] = b
}

/** CRC-64 of bytes, in the byte order of `.xz` files. */
export function crc64(bytes: Uint8Array): Buffer {
  let [a, b] = [0xffffffff, 0xffffffff]
  for (const byte of bytes) {
    const index = (b ^ byte) & 0xff
    b = (((b >>> 8) | (a << 24)) ^ (low[index] ?? outOfRange())) >>> 0
    a = ((a >>> 8) ^ (high[index] ?? outOfRange())) >>> 0
  }
  const crc = Buffer.alloc(8)
  crc.writeUInt32LE(~b >>> 0, 0)
  crc.writeUInt32LE(~a >>> 0, 4)
  return crc
}
