import type { Connection } from './connection.ts'
import { toRequestError } from './request-error.ts'
import { withRetries } from './retry.ts'
import { isRepeatableFile, type UploadFile, type UploadProgress } from './transport/transport.ts'

/** The options that every kind of upload takes. */
export interface UploadOptions {
  /** A path (in Node only), a Blob or File, or a stream of bytes. A stream cannot be sent a second time. */
  file: UploadFile
  /** Size of a stream in bytes, if known. */
  size?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** Time limit for the answer in milliseconds. The server needs some minutes to read the symbols of a large app. */
export const answerTimeoutMs = 20 * 60_000

/** Posts the bytes of a file, repeats that after temporary faults, and returns the text of the answer. */
export async function upload(
  connection: Connection,
  path: string,
  { file, size, signal, onProgress }: UploadOptions,
  headers: Record<string, string>,
  retryMs = 0,
): Promise<string> {
  const { retries, idleTimeoutMs, onRetry } = connection
  const isRepeatable = isRepeatableFile(file)
  return await withRetries(
    async () => {
      const answer = await connection.transmit({
        method: 'POST',
        url: connection.toUrl(path),
        headers: { ...connection.headers(), ...headers },
        file,
        start: 0,
        size,
        idleTimeoutMs,
        answerTimeoutMs,
        signal,
        onProgress,
      })
      if (answer.status >= 200 && answer.status < 300) return answer.text
      throw toRequestError(answer.status, answer.text, answer.retryAfter)
    },
    { retries: isRepeatable ? retries : 0, retryMs: isRepeatable ? retryMs : 0, isRepeatable, signal, onRetry },
  )
}
