import type { ByteSource } from '@fairlead/binary'
import type { ReportLimits } from '../limits.ts'

export interface UploadEntry {
  /**
   * The path with slashes, without `.`, `..` and anything before the first folder. It is a label and is never opened.
   */
  path: string
  size: number
}

/** An upload: one file, or the files of an archive. */
export interface Upload extends Disposable {
  isArchive: boolean
  /** Regular files only, ordered by path. */
  entries: UploadEntry[]
  /** Reads the first bytes of an entry, up to `length`. */
  readStart(entry: UploadEntry, length: number): Buffer
  /**
   * Streams the bytes of an entry; a chunk is valid until the next one. Throws ReportsError `too-large` beyond
   * `maxBytes`, `malformed-archive` if they are damaged.
   */
  stream(entry: UploadEntry, maxBytes: number): AsyncIterable<Buffer>
}

export interface OpenUploadOptions {
  limits: ReportLimits
  /** A folder for temporary files, which the upload removes when it is disposed. */
  folder: string
}

/** Bytes of a chunk. The text of a chunk has to fit into the young generation of the heap. */
const chunkBytes = 64 * 1024

export function toEntryPath(name: string): string {
  return name
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/')
}

export function orderByPath(a: UploadEntry, b: UploadEntry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** Streams a part of a source in chunks that share one buffer, so a chunk is valid until the next one. */
export function* readRange(source: ByteSource, offset: number, length: number): Generator<Buffer> {
  const memory = Buffer.allocUnsafe(Math.min(chunkBytes, length))
  for (let at = 0; at < length; at += chunkBytes) {
    yield source.read(offset + at, Math.min(chunkBytes, length - at), memory)
  }
}
