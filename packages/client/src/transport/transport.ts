/** The content of an upload: a path (in Node only), a Blob or File, or a stream of bytes. */
export type UploadFile = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface UploadProgress {
  /** Bytes handed to the network so far, including bytes that the server received in earlier attempts. */
  sent: number
  /** Bytes of the whole file; Infinity for a stream of unknown size. */
  total: number
}

/** One attempt at a request whose body is a file, or a file from an offset on. */
export interface Transmission {
  method: 'POST' | 'PATCH'
  url: string
  headers: Record<string, string>
  file: UploadFile
  /** Number of bytes at the start of a path or Blob to skip, because the server has them already. */
  start: number
  /** Size of a stream in bytes, if known. The size of a path or a Blob is read from it. */
  size: number | undefined
  /** The attempt fails when no byte moves for this long. */
  idleTimeoutMs: number
  /** How long the server may work on a file that has arrived as a whole. */
  answerTimeoutMs: number
  signal: AbortSignal | undefined
  onProgress: ((progress: UploadProgress) => void) | undefined
}

export interface TransmissionAnswer {
  status: number
  text: string
  /** The value of `Retry-After`, or null. */
  retryAfter: string | null
}

/** A request whose body is a text or a few bytes, or that has none. */
export interface PlainRequest {
  method: string
  headers: Record<string, string>
  body: string | Blob | null
  /** The attempt fails when no byte moves for this long. */
  idleTimeoutMs: number
  signal: AbortSignal | undefined
  /** Whether the answer may be a large file, and may redirect to the object store that has it. */
  isDownload: boolean
}

/** The part of a `Response` that is used here. */
export interface Answer {
  ok: boolean
  status: number
  headers: { get(name: string): string | null }
  /** The body as a stream; null for an empty one, and for every answer that was not requested as a download. */
  body: ReadableStream<Uint8Array> | null
  text: () => Promise<string>
}

/**
 * Sends a file and returns the answer, whatever its status.
 * Throws `RequestError` with status 0 when no answer came, and the signal's reason when it was aborted.
 */
export type Transmit = (transmission: Transmission) => Promise<TransmissionAnswer>

/** Sends a request and returns the answer, whatever its status. Throws as `Transmit` does. */
export type Exchange = (url: string, request: PlainRequest) => Promise<Answer>

/** Whether a second attempt can read the file from its start. A stream can be read only once. */
export function isRepeatableFile(file: UploadFile): boolean {
  return typeof file === 'string' || file instanceof Blob
}

/** Returns the last part of a path or the name of a File; undefined for a Blob or a stream. */
export function findFileName(file: UploadFile): string | undefined {
  if (typeof file === 'string') return file.split(/[\\/]/).at(-1)
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined
}
