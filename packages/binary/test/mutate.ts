import { requireAt } from '@fairlead/invariant'

/** Damages files as fuzzers do; the same seed gives the same damage. */
export type Random = (below: number) => number

/** mulberry32: a small generator that is good enough to choose where to damage a file. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

const telling = [0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

/** Flips bits, truncates, writes extreme numbers where lengths may be, and copies one piece over another. */
export function mutate(original: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(original)
  if (bytes.length < 16) return bytes
  const kind = random(10)
  if (kind === 0) return bytes.subarray(0, random(bytes.length))
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(bytes.length - 8)
    if (kind <= 3) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at)
    else if (kind <= 7) writeTelling(bytes, at, random)
    else bytes.copyWithin(random(bytes.length), at, at + random(64))
  }
  return bytes
}

function writeTelling(bytes: Buffer, at: number, random: Random): void {
  const value = random(4) === 0 ? bytes.length + random(64) - 32 : requireAt(telling, random(telling.length))
  const aligned = random(2) === 0 ? at : at - (at % 4)
  const kind = random(4)
  if (kind === 0) bytes.writeUInt16LE(value & 0xffff, aligned)
  else if (kind === 1) bytes.writeUInt32LE(value >>> 0, aligned)
  else if (kind === 2) bytes.writeUInt32BE(value >>> 0, aligned)
  else bytes.writeUInt8(value & 0xff, aligned)
}
