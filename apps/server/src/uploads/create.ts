import { randomBytes } from 'node:crypto'
import { ApiError } from '@fairlead/contract'
import { requireApplicationByAlias } from '../applications/find.ts'
import { requireRoom } from '../blobs/quota.ts'
import type { UploadHeaders } from '../builds/columns.ts'
import { checkIdempotencyKey } from '../builds/idempotency.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Caller } from '../http/caller.ts'
import { expireUploads } from './expire.ts'
import { insertUpload, sumUnfinished, type UploadRow } from './store.ts'

export interface NewUpload extends UploadHeaders {
  alias: string
  /** The size of the whole file in bytes. */
  length: number
  idempotencyKey: string | null
}

/** An upload to which nothing was added for this long is deleted, in milliseconds. */
export const uploadLifetime = 24 * 60 * 60 * 1000
/** The most unfinished uploads of a workspace. Concurrent requests may exceed it by their number. */
const maxUnfinished = 100

/**
 * Starts an upload that can be resumed after a broken connection, with the checks of an upload by one request.
 *
 * @throws {ApiError} aliasNotFound, tooLarge, idempotencyMismatch, quotaExceeded, tooManyUploads, insufficientStorage
 */
export async function createUpload(context: AppContext, caller: Caller, upload: NewUpload): Promise<UploadRow> {
  const { db, config } = context
  const { workspaceId } = caller
  const application = await requireApplicationByAlias(context, workspaceId, upload.alias)
  if (upload.length > config.maxUploadBytes) throw new ApiError('tooLarge')
  await checkIdempotencyKey(db, { ...caller, ...upload }, upload.length)
  if (!(await context.blobs.reserve.hasRoomFor(upload.length))) throw new ApiError('insufficientStorage')
  await expireUploads(context, Date.now(), workspaceId)
  return transact(db, async (trx) => {
    const unfinished = await sumUnfinished(trx, workspaceId)
    if (unfinished.count >= maxUnfinished) throw new ApiError('tooManyUploads')
    await requireRoom({ ...context, db: trx }, workspaceId, {
      bytes: unfinished.bytes + upload.length,
      builds: unfinished.count + 1,
    })
    const now = Date.now()
    return insertUpload(trx, {
      id: randomBytes(16).toString('hex'),
      workspace_id: workspaceId,
      application_id: application.id,
      api_token_id: caller.apiTokenId,
      account_id: caller.accountId,
      alias: upload.alias,
      length: upload.length,
      received: 0,
      file_name: upload.fileName,
      source_branch: upload.source.branch,
      source_commit: upload.source.commit,
      source_ci_url: upload.source.ciUrl,
      idempotency_key: upload.idempotencyKey,
      build_id: null,
      created_at: now,
      expires_at: now + uploadLifetime,
    })
  })
}
