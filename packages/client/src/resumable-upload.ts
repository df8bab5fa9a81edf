import type { Connection } from './connection.ts'
import { RequestError } from './request-error.ts'
import { findDelay, wait } from './retry.ts'
import type { UploadOptions } from './upload.ts'
import { uploadsOf } from './uploads.ts'

/** An attempt counts as progress if the server received at least this many further bytes. */
const leastProgress = 2 ** 20
/** Time limit in milliseconds for discarding an upload on the server. If that fails, the upload expires there. */
const discardTimeoutMs = 30_000
/** Statuses after which an upload can be resumed: the request was too slow, or another one held the same upload. */
const interruptions = new Set([408, 409])

/**
 * Uploads a file and resumes after a broken connection. `retries` and `uploadRetryMs` limit the attempts without
 * progress. Returns the text of the last answer. If the upload fails or is aborted, the server deletes its bytes.
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
    // If the server cannot be reached, a request to discard the upload would fail too.
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
  let failingSince: number | undefined
  let next: number | undefined = 0
  for (;;) {
    try {
      next ??= await getOffset(id, { signal })
      if (next - offset >= leastProgress) {
        failures = 0
        failingSince = undefined
      }
      offset = next
      return await append(id, offset, upload)
    } catch (error) {
      failingSince ??= Date.now()
      const isSpent = failures >= connection.retries && Date.now() - failingSince >= connection.uploadRetryMs
      if (!(error instanceof RequestError) || isSpent) throw error
      const delayMs = interruptions.has(error.httpStatus) ? 0 : findDelay(error, failures, true)
      if (delayMs === undefined) throw error
      failures++
      next = undefined
      connection.onRetry?.({ error, attempt: failures, delayMs })
      await wait(delayMs, signal)
    }
  }
}
