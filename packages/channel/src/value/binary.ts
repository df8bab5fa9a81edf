type BinaryConstructor = (new (buffer: ArrayBuffer) => ArrayBufferView) & { BYTES_PER_ELEMENT?: number }

const names = [
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigUint64Array',
  'BigInt64Array',
  'DataView',
]

const constructors = new Map<string, BinaryConstructor>()
for (const name of names) {
  // Float16Array does not exist in every supported engine.
  const found = (globalThis as Record<string, unknown>)[name]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names above are those of such constructors
  if (typeof found === 'function') constructors.set(name, found as BinaryConstructor)
}

/** Returns the tag of a binary value. A Node Buffer is tagged as `Uint8Array`. */
export function findBinaryKind(value: object): string | undefined {
  if (value instanceof ArrayBuffer) return 'ArrayBuffer'
  if (!ArrayBuffer.isView(value)) return undefined
  const tag = Symbol.toStringTag in value ? String(value[Symbol.toStringTag]) : ''
  return constructors.has(tag) ? tag : undefined
}

export function toBytes(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** Creates the view or buffer over bytes that have no other owner; undefined if the kind or the size does not fit. */
export function findBinaryValue(kind: string, bytes: Uint8Array): object | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- attachments are never over shared memory
  const buffer = bytes.buffer as ArrayBuffer
  if (kind === 'ArrayBuffer') return buffer
  if (kind === 'Uint8Array') return bytes
  const construct = constructors.get(kind)
  // A DataView has no elements, so it fits any size.
  const unit = construct?.BYTES_PER_ELEMENT ?? 1
  if (!construct || buffer.byteLength % unit !== 0) return undefined
  return new construct(buffer)
}
