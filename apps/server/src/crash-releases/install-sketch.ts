import { outOfRange } from '@fairlead/invariant'

/**
 * A set of installs that is exact while it is small and of a bounded size when it is not. Up to 400 installs are kept
 * as they are, 8 bytes each, sorted; beyond, a HyperLogLog with 4,096 registers of a byte estimates their number with a
 * standard error of 1.6 %. The first byte tells the form: 0 exact, 1 HyperLogLog. Equal sets have equal bytes, in
 * whatever order their installs came.
 */
const exactLimit = 400
const idBytes = 8
const precision = 12
const registerCount = 2 ** precision
const exactForm = 0
const logForm = 1

export type InstallSketch = { ids: Set<string> } | { registers: Uint8Array }

export function createSketch(): InstallSketch {
  return { ids: new Set() }
}

/** Adds an install, given as 16 hexadecimal digits. Returns the sketch to go on with. */
export function addInstall(sketch: InstallSketch, id: string): InstallSketch {
  if ('registers' in sketch) {
    raiseRegister(sketch.registers, id)
    return sketch
  }
  sketch.ids.add(id)
  return sketch.ids.size <= exactLimit ? sketch : toRegisters(sketch.ids)
}

export function mergeSketches(one: InstallSketch, other: InstallSketch): InstallSketch {
  if ('ids' in other) {
    let merged = one
    for (const id of other.ids) merged = addInstall(merged, id)
    return merged
  }
  const into = 'ids' in one ? toRegisters(one.ids) : one
  for (let at = 0; at < registerCount; at++) {
    into.registers[at] = Math.max(into.registers[at] ?? outOfRange(), other.registers[at] ?? outOfRange())
  }
  return into
}

export function countInstalls(sketch: InstallSketch): { count: number; isApproximate: boolean } {
  if ('ids' in sketch) return { count: sketch.ids.size, isApproximate: false }
  let sum = 0
  let zeros = 0
  for (const register of sketch.registers) {
    sum += 2 ** -register
    if (register === 0) zeros++
  }
  const alpha = 0.7213 / (1 + 1.079 / registerCount)
  const estimate = (alpha * registerCount ** 2) / sum
  // Linear counting is more exact while many registers are still empty.
  const isSmall = estimate <= 2.5 * registerCount && zeros > 0
  return {
    count: Math.round(isSmall ? registerCount * Math.log(registerCount / zeros) : estimate),
    isApproximate: true,
  }
}

export function writeSketch(sketch: InstallSketch): Buffer {
  if ('registers' in sketch) return Buffer.concat([Buffer.of(logForm), sketch.registers])
  return Buffer.concat([Buffer.of(exactForm), ...[...sketch.ids].toSorted().map((id) => Buffer.from(id, 'hex'))])
}

export function readSketch(bytes: Uint8Array | null): InstallSketch {
  if (bytes === null) return createSketch()
  if (bytes[0] === logForm) return { registers: Uint8Array.from(bytes.subarray(1)) }
  const ids = new Set<string>()
  for (let at = 1; at + idBytes <= bytes.length; at += idBytes) {
    ids.add(Buffer.from(bytes.subarray(at, at + idBytes)).toString('hex'))
  }
  return { ids }
}

/** Removes an install, which only an exact set can do. Returns whether it was there. */
export function removeInstall(sketch: InstallSketch, id: string): boolean {
  return 'ids' in sketch && sketch.ids.delete(id)
}

function toRegisters(ids: ReadonlySet<string>): { registers: Uint8Array } {
  const registers = new Uint8Array(registerCount)
  for (const id of ids) raiseRegister(registers, id)
  return { registers }
}

/** The first 12 bits choose the register; it keeps the most leading zeros, plus one, of the other 52. */
function raiseRegister(registers: Uint8Array, id: string): void {
  const bits = BigInt(`0x${id}`)
  const index = Number(bits >> BigInt(64 - precision))
  const rest = bits & ((1n << BigInt(64 - precision)) - 1n)
  const rank = rest === 0n ? 64 - precision + 1 : 64 - precision - rest.toString(2).length + 1
  registers[index] = Math.max(registers[index] ?? outOfRange(), rank)
}
