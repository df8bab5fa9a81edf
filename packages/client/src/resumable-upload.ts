import type { Connection } from './connection.ts'
import { RequestError } from './request-error.ts'
import { findDelay, wait } from './retry.ts'
import type { UploadOptions } from './upload.ts'
import { uploadsOf } from './uploads.ts'

/** Bytes that an attempt must bring forward to count as progress. */
const leastProgress = 2 ** 20
/** How long to try to tell the server that an upload is over. If that fails, the upload expires. */
const discardTimeoutMs = 5000
/** Statuses after which the server may have only a part: it saw a pause, or another request for the same upload. */
const interruptions = new Set([408, 409])

/**
 * Uploads a file and goes on where it stopped when the connection breaks. `retries` counts attempts that bring nothing
 * forward. Gives the text of the last answer; when it fails or is aborted, nothing stays on the server.
 */
export async function uploadResumably(
  connection: Connection,
  upload: UploadOptions & { size: number },
  headers: Record<string, string>,
): Promise<string> {
  const uploads = uploadsOf(connection)
  const { signal } = upload
  const id = await uploads.create(upload.size, headers, { signal })
  try {
    return await sendAll(connection, id, upload)
  } catch (error) {
    // A server that cannot be reached cannot be told either.
    const isAway = error instanceof RequestError && error.httpStatus === 0
    if (!isAway) await uploads.discard(id, { signal: AbortSignal.timeout(discardTimeoutMs) }).catch(() => {})
    throw error
  }
}

async function sendAll(connection: Connection, id: string, upload: UploadOptions): Promise<string> {
  const { getOffset, append } = uploadsOf(connection)
  const { signal } = upload
  let offset = 0
  let failures = 0
  for (;;) {
    try {
      return await append(id, offset, upload)
    } catch (error) {
      if (!(error instanceof RequestError) || failures >= connection.retries) throw error
      const delayMs = interruptions.has(error.httpStatus) ? 0 : findDelay(error, failures, true)
      if (delayMs === undefined) throw error
      connection.onRetry?.({ error, attempt: failures + 1, delayMs })
      await wait(delayMs, signal)
      const next = await getOffset(id, { signal })
      failures = next - offset >= leastProgress ? 0 : failures + 1
      offset = next
    }
  }
}
