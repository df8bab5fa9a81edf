import type { ByteSource } from '@fairlead/binary'
import type { ReportLimits } from '../limits.ts'

export interface UploadEntry {
  /** With slashes, without `.`, `..` and what is before the first folder: a label, never a path to open. */
  path: string
  size: number
}

/** A file that came, or the files of an archive that came. */
export interface Upload extends Disposable {
  isArchive: boolean
  /** Regular files only, ordered by path. */
  entries: UploadEntry[]
  /** The first bytes of an entry, up to `length`. */
  readStart(entry: UploadEntry, length: number): Buffer
  /**
   * The bytes of an entry; a chunk is valid until the next. Throws ReportsError `too-large` past `maxBytes`,
   * `malformed-archive` where they are wrong.
   */
  stream(entry: UploadEntry, maxBytes: number): AsyncIterable<Buffer>
}

export interface OpenUploadOptions {
  limits: ReportLimits
  /** A folder for temporary files; the upload removes what it puts there. */
  folder: string
}

/** The text of a chunk must be small enough for the young generation of the heap. */
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

/** A part of a source in chunks, all in the same memory: a chunk is valid until the next. */
export function* readRange(source: ByteSource, offset: number, length: number): Generator<Buffer> {
  const memory = Buffer.allocUnsafe(Math.min(chunkBytes, length))
  for (let at = 0; at < length; at += chunkBytes) {
    yield source.read(offset + at, Math.min(chunkBytes, length - at), memory)
  }
}
