/** The content of an upload: a path (in Node only), a Blob or File, or a stream of bytes. */
export type UploadFile = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface UploadProgress {
  /** Bytes handed to the network so far, with those that an earlier attempt brought to the server. */
  sent: number
  /** Bytes of the whole file; Infinity for a stream whose size nobody said. */
  total: number
}

/** One attempt at a request whose body is a file, or its rest. */
export interface Transmission {
  method: 'POST' | 'PATCH'
  url: string
  headers: Record<string, string>
  file: UploadFile
  /** Bytes at the beginning of a path or Blob that are left out, because the server has them. */
  start: number
  /** Bytes of a stream, where known. A path and a Blob know their own size. */
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

/**
 * Sends a file and gives what was answered, whichever status it has.
 * Throws `RequestError` with status 0 when no answer came, and the signal's reason when it was aborted.
 */
export type Transmit = (transmission: Transmission) => Promise<TransmissionAnswer>

/** Whether a second attempt can read the file from its start again. A stream is gone once it was read. */
export function isRepeatableFile(file: UploadFile): boolean {
  return typeof file === 'string' || file instanceof Blob
}

/** The name of a file that knows one. */
export function findFileName(file: UploadFile): string | undefined {
  if (typeof file === 'string') return file.split(/[\\/]/).at(-1)
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined
}
