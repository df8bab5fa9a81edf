import type { ByteSource } from '@fairlead/binary'
import { openFile } from '@fairlead/binary/file-source'
import { zstdDecompressSync } from 'node:zlib'
import { ReportsError } from '../reports-error.ts'
import { blockBits } from './block-writer.ts'

/** The largest block in bytes: 256 KiB and one more record. */
const maxBlockBytes = 64 * 1024 * 1024
const blockBytes = 2 ** blockBits

export interface Details extends Disposable {
  /** Reads the text of a reference. Throws ReportsError `malformed`. */
  read(reference: number): string
}

/** Opens a details file: a path, a file descriptor or another source (see `@fairlead/binary`). */
export function openDetails(file: string | number | ByteSource): Details {
  const source = typeof file === 'object' ? file : openFile(file)
  // Texts of neighbouring cases lie in one block, which is inflated once for all of them.
  let last: { offset: number; block: Buffer } | undefined
  return {
    read(reference) {
      const offset = Math.floor(reference / blockBytes)
      if (last?.offset !== offset) last = { offset, block: readBlock(source, offset).block }
      return readRecord(last.block, reference % blockBytes).text
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

/** Yields the records of a file of blocks, one list per block. Throws ReportsError `malformed`. */
export function* listRecords(path: string): Generator<string[], void> {
  using source = openFile(path)
  for (let offset = 0; offset < source.size;) {
    const { block, end } = readBlock(source, offset)
    const records: string[] = []
    for (let at = 0; at < block.length;) {
      const record = readRecord(block, at)
      records.push(record.text)
      at = record.end
    }
    yield records
    offset = end
  }
}

/** Returns the bytes of all blocks of a file when they are inflated. Throws ReportsError `malformed`. */
export function measureBlocks(path: string): number {
  using source = openFile(path)
  let bytes = 0
  for (let offset = 0; offset < source.size;) {
    const { length, end } = readHead(source, offset)
    bytes += length
    offset = end
  }
  return bytes
}

function readHead(source: ByteSource, offset: number): { frame: number; length: number; end: number } {
  if (!(offset >= 0 && offset + 8 <= source.size)) throw breaksOff()
  const head = source.read(offset, 8)
  const [frame, length] = [head.readUInt32LE(0), head.readUInt32LE(4)]
  const end = offset + 8 + frame
  if (end > source.size || length > maxBlockBytes) throw breaksOff()
  return { frame, length, end }
}

function readBlock(source: ByteSource, offset: number): { block: Buffer; end: number } {
  const { frame, length, end } = readHead(source, offset)
  try {
    const block = zstdDecompressSync(source.read(offset + 8, frame), { maxOutputLength: Math.max(1, length) })
    if (block.length !== length) throw breaksOff()
    return { block, end }
  } catch (cause) {
    throw cause instanceof ReportsError ? cause : breaksOff(cause)
  }
}

function readRecord(block: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > block.length) throw breaksOff()
  const end = at + 4 + block.readUInt32LE(at)
  if (end > block.length) throw breaksOff()
  return { text: block.toString('utf8', at + 4, end), end }
}

function breaksOff(cause?: unknown): ReportsError {
  return new ReportsError('malformed', 'The details file breaks off or the reference is wrong.', {}, { cause })
}
