import type { FilePart } from './file-part.ts'

/** One part that holds the bytes of several, one after another. */
export function joinParts(parts: readonly FilePart[]): FilePart | undefined {
  const [only] = parts
  if (parts.length <= 1) return only
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const readInto = (target: Uint8Array, offset: number): void => {
    let start = 0
    for (const part of parts) {
      const from = Math.max(offset, start)
      const to = Math.min(offset + target.length, start + part.size)
      if (from < to) part.source.readInto(target.subarray(from - offset, to - offset), part.offset + from - start)
      start += part.size
    }
  }
  const read = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length)
    readInto(bytes, offset)
    return bytes
  }
  return { source: { size, read, readInto, [Symbol.dispose]: () => {} }, offset: 0, size }
}
