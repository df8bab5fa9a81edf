import type { Readable, Writable } from 'node:stream'

/** A byte range, inclusive on both ends, as in an HTTP Range header. */
export interface ByteRange {
  start: number
  end: number
}

/** A received file that is not a blob yet. The next start deletes it if the process dies first. */
export interface StagedFile {
  /** The local path, so that the file can be read before it becomes a blob. */
  path: string
  size: number
  /** Lower-case hexadecimal. */
  sha256: string
}

/**
 * Stores immutable blobs by key. A key is written once, never overwritten and never reused. Every implementation has to
 * pass `blob-store.suite.ts`.
 */
export interface BlobStore {
  /**
   * Moves a staged file into the store as the blob `key`. When this resolves, the bytes are durable and the staged file
   * is gone.
   */
  keep(staged: StagedFile, key: string): Promise<void>
  /** Starts a part of an unfinished upload, whose bytes become durable while they arrive. */
  createPart(): Promise<BlobPart>
  /** Streams a blob or a range of it. Rejects with code `ENOENT` when the blob does not exist. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Opens a blob for sending. Rejects like `read`. */
  openSource(key: string): Promise<BlobSource>
  /** Opens a blob as a complete local file, for readers that need random access. */
  open(key: string): Promise<LocalBlob>
  /** Returns whether the blob existed. */
  remove(key: string): Promise<boolean>
  list(): AsyncIterable<StoredBlob>
  /** Discards uploads to the store that began before a time and were never completed. Returns their number. */
  abortUnfinished(before: number): Promise<number>
  /** A URL that serves a blob from the store itself, without any further check. Only an object store has this. */
  presign?(key: string, download: PresignedDownload): Promise<string>
  /** Rejects when the store is not usable; the readiness check calls this. */
  check(): Promise<void>
}

/** Bytes that one request adds to an unfinished upload. */
export interface BlobPart extends AsyncDisposable {
  /** A local path at which no file is yet. Disposing the part deletes the file, unless it is the blob itself. */
  path: string
  /** The longest range that can be saved at once. */
  maxRange: number
  /**
   * Stores a range of the file, which is already durable on the local disk, where every replica can read it. The blob
   * has no row in `blobs`; a row in `upload_parts` protects it from the sweep.
   */
  save(start: number, size: number): Promise<BlobRange>
}

/** A place of stored bytes: a blob, and the position in it where the bytes begin. */
export interface BlobRange {
  key: string
  position: number
}

export interface BlobSource extends AsyncDisposable {
  /**
   * Writes a range to the destination. Rejects when the destination closes or a read fails; bytes written before stay
   * written.
   */
  writeTo(destination: Writable, range: ByteRange): Promise<void>
}

/** The response headers of a presigned download. */
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
