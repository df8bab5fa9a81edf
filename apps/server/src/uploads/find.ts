import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { findUpload, type UploadRow } from './store.ts'

/**
 * Finds an upload that this caller began: the same API token, or the same account.
 *
 * @throws {ApiError} uploadNotFound
 */
export async function requireUpload(db: Db, caller: Caller, id: string): Promise<UploadRow> {
  const upload = await findUpload(db, caller.workspaceId, id, Date.now())
  const isOwn = upload?.api_token_id === caller.apiTokenId && upload.account_id === caller.accountId
  if (!isOwn) throw new ApiError('uploadNotFound')
  return upload
}
