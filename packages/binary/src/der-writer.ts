import { requireAt } from '@fairlead/invariant'

/** Writes DER (see der.ts). */
export function writeDer(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const digits = length.subarray(length.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, content])
}

export const derSequence = (...contents: Uint8Array[]): Buffer => writeDer(0x30, ...contents)
export const derSet = (...contents: Uint8Array[]): Buffer => writeDer(0x31, ...contents)
export const derExplicit = (number: number, ...contents: Uint8Array[]): Buffer => writeDer(0xa0 | number, ...contents)
export const derOctets = (bytes: Uint8Array): Buffer => writeDer(0x04, bytes)
export const derUtf8 = (text: string): Buffer => writeDer(0x0c, Buffer.from(text))

export function derInteger(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32BE(value, 1)
  const first = bytes.findIndex((byte) => byte !== 0)
  const start = first === -1 ? 4 : requireAt(bytes, first) >= 0x80 ? first - 1 : first
  return writeDer(0x02, bytes.subarray(start))
}

/** Encodes an object identifier given in dotted form. */
export function derObjectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return writeDer(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]))
}

function toBase128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

/** Writes a GeneralizedTime, which, unlike UTCTime, can hold any year. */
export function derTime(date: Date): Buffer {
  return writeDer(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
}
