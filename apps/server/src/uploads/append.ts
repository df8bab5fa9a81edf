import { ApiError, type Build } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { Checksum } from '../blobs/receive-part.ts'
import { toBuild } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { uploadLifetime } from './create.ts'
import { requireUpload } from './find.ts'
import { finishUpload } from './finish.ts'
import type { RunningRequests } from './running-requests.ts'
import { insertPart, type UploadRow } from './store.ts'

export interface AddedBytes {
  /** The offset that the client believes the upload to have. */
  offset: number
  body: UploadBody
  checksum: Checksum | null
  /** Closes the connection that sends the bytes. */
  cut: () => void
  /** Aborted when the client has hung up. */
  signal: AbortSignal
}

/** An upload after a request, and its build once all bytes have arrived. */
export interface Appended {
  upload: UploadRow
  build: Build | null
}

/**
 * Adds bytes to an upload. They are kept even when the connection breaks. The last bytes make the build. If that fails
 * temporarily, an empty request at the same offset tries again; it also repeats an answer that was lost.
 *
 * @throws {ApiError} uploadNotFound, offsetMismatch, tooLarge, checksumMismatch, idleUpload, truncatedBody,
 *   insufficientStorage, and what `uploadBuild` throws
 */
export async function appendToUpload(
  context: AppContext,
  running: RunningRequests,
  caller: Caller,
  id: string,
  added: AddedBytes,
): Promise<Appended> {
  await requireUpload(context.db, caller, id)
  await running.end(id)
  const upload = await requireUpload(context.db, caller, id)
  if (added.offset !== upload.received) {
    throw new ApiError('offsetMismatch', { headers: { 'upload-offset': String(upload.received) } })
  }
  const missing = upload.length - upload.received
  if ((added.body.size ?? 0) > missing) throw new ApiError('tooLarge')
  if (upload.build_id !== null) {
    const build = await requireBuild(context, caller.workspaceId, upload.build_id)
    return { upload, build: toBuild(build, context.config.baseUrl) }
  }
  if (missing === 0) return { upload, build: await finishUpload(context, caller, upload, added.signal) }
  if (added.body.size === 0) return { upload, build: null }

  await using part = await context.blobs.createPart()
  const received = await running.run(id, added.cut, () => receive(context, upload, part, added))
  const next = { ...upload, received: upload.received + received.size, expires_at: Date.now() + uploadLifetime }
  if (next.received < next.length) return { upload: next, build: null }
  const whole = upload.received === 0 ? received : undefined
  return { upload: next, build: await finishUpload(context, caller, next, added.signal, whole) }
}

async function receive(
  { db, blobs, config }: AppContext,
  upload: UploadRow,
  part: Awaited<ReturnType<AppContext['blobs']['createPart']>>,
  { body, checksum }: AddedBytes,
): Promise<StagedFile> {
  return blobs.staging.receivePart(body.open(), part.path, {
    maxBytes: upload.length - upload.received,
    idleMs: config.uploadIdleMs,
    checksum,
    maxRange: part.maxRange,
    async save(start, size) {
      const { key, position } = await part.save(start, size)
      const row = { upload_id: upload.id, start: upload.received + start, size, blob_key: key, position }
      const isNext = await transact(db, (trx) => insertPart(trx, row, Date.now() + uploadLifetime))
      // Another request was faster, on another replica, or the upload was discarded.
      if (!isNext) throw new ApiError('offsetMismatch')
    },
  })
}
