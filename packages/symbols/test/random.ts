import { outOfRange } from '@fairlead/invariant'

/** Creates a linear congruential generator of 32 bits: pseudo-random numbers that depend only on the seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * below)
  }
}

const interesting = [0, 1, 0x7f, 0x80, 0xff]

/**
 * Makes one to eight changes to bytes: bits, bytes and runs are replaced, parts removed or repeated, the end cut off.
 */
export function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  let changed = Buffer.from(bytes)
  for (let count = 1 + random(8); count > 0 && changed.length > 0; count--) {
    const at = random(changed.length)
    const length = 1 + random(Math.min(64, changed.length - at))
    switch (random(7)) {
      case 0:
        changed[at] = (changed[at] ?? outOfRange()) ^ (1 << random(8))
        break
      case 1:
        changed[at] = interesting[random(interesting.length)] ?? outOfRange()
        break
      case 2:
        changed.fill(random(256), at, at + length)
        break
      case 3:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)])
        break
      case 4:
        changed = Buffer.concat([changed.subarray(0, at + length), changed.subarray(at)])
        break
      case 5:
        if (at + 4 <= changed.length)
          changed.writeUInt32LE(random(3) === 0 ? 0xffffffff - random(32) : random(2 ** 31), at)
        break
      default:
        if (random(8) === 0) changed = changed.subarray(0, at)
    }
  }
  return changed
}
