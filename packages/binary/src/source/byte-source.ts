/**
 * Random access to the bytes of a file or a buffer. Reads are synchronous, because they are few and small and meant for
 * a worker. The range [offset, offset + length) must lie within `size`; callers check it against their own format
 * first.
 */
export interface ByteSource extends Disposable {
  readonly size: number
  /** Reads bytes. If `reuse` is long enough, the result may be a view of it, which the next read overwrites. */
  read(offset: number, length: number, reuse?: Buffer): Buffer
}

/** Wraps bytes in memory as a source. Its reads return views, not copies. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: buffer.length,
    read: (offset, length) => buffer.subarray(offset, offset + length),
    [Symbol.dispose]: () => {},
  }
}

/** A range of another source, which stays open when the slice is disposed of. */
export function sliceSource(source: ByteSource, start: number, length: number): ByteSource {
  return {
    size: length,
    read: (offset, count, reuse) => source.read(start + offset, count, reuse),
    [Symbol.dispose]: () => {},
  }
}
