/**
 * Bytes at offsets: of a file, or of memory. Reads are synchronous: they are few and small, and meant for a worker.
 * The range [offset, offset + length) must lie within `size`; callers check it against their own format first.
 */
export interface ByteSource extends Disposable {
  readonly size: number
  /** What is read may be put into `reuse`, if it is given and long enough, and be a view of it. */
  read(offset: number, length: number, reuse?: Buffer): Buffer
}

/** Bytes already in memory as a source; what it reads are views, not copies. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: buffer.length,
    read: (offset, length) => buffer.subarray(offset, offset + length),
    [Symbol.dispose]: () => {},
  }
}

/** A part of another source, which stays its owner's. */
export function sliceSource(source: ByteSource, start: number, length: number): ByteSource {
  return {
    size: length,
    read: (offset, count, reuse) => source.read(start + offset, count, reuse),
    [Symbol.dispose]: () => {},
  }
}
