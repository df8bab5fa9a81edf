import type { Readable, Writable } from 'node:stream'

/** Inclusive on both ends, as in an HTTP Range header. */
export interface ByteRange {
  start: number
  end: number
}

/** A file that is being received: not yet a blob, and gone when the process dies. */
export interface StagedFile {
  /** Where it lies on this machine, to be read before it is kept. */
  path: string
  size: number
  /** Lower-case hexadecimal. */
  sha256: string
}

/**
 * Where bytes are kept for good, by key. A key is written once, never changed, and never used again.
 * `blob-store.suite.ts` is what every backend passes.
 */
export interface BlobStore {
  /**
   * Takes a staged file as the blob `key`: when this resolves, the bytes survive a power cut. The staged file is
   * used up.
   */
  keep(staged: StagedFile, key: string): Promise<void>
  /** The bytes, or a part of them. Rejects with code `ENOENT` when there is no such blob. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Opens a blob to send it. Rejects like `read`. */
  openSource(key: string): Promise<BlobSource>
  /** A path to the whole blob on this machine, for readers that seek. */
  open(key: string): Promise<LocalBlob>
  /** Whether there was one. */
  remove(key: string): Promise<boolean>
  list(): AsyncIterable<StoredBlob>
  /** Discards uploads to the store that began before a time and were never completed; answers with their number. */
  abortUnfinished(before: number): Promise<number>
  /** A URL that serves a blob from the store itself, without any further check. Absent where there is no such server. */
  presign?(key: string, download: PresignedDownload): Promise<string>
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

export interface BlobSource extends AsyncDisposable {
  /** Rejects when the destination is closed or the store fails; what was written by then stays written. */
  writeTo(destination: Writable, range: ByteRange): Promise<void>
}

/** What the headers of a presigned download say. */
export interface PresignedDownload {
  contentType: string
  contentDisposition?: string | undefined
  /** How long the URL may be used, in seconds: at most 7 days. */
  expiresInSeconds: number
}

export interface LocalBlob extends AsyncDisposable {
  path: string
}

export interface StoredBlob {
  key: string
  modifiedAt: number
}
