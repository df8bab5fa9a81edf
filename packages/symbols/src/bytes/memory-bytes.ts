import type { FileBytes } from './file-bytes.ts'

/** Bytes in memory that are read as if they were a file. */
export function openMemory(bytes: Buffer): FileBytes {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    readInto: (target, offset) => target.set(bytes.subarray(offset, offset + target.length)),
    [Symbol.dispose]: () => {},
  }
}
