import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { deleteApiToken } from './store.ts'

/** @throws {ApiError} apiTokenNotFound */
export async function revokeApiToken(db: Db, workspaceId: number, id: number): Promise<void> {
  if (!(await deleteApiToken(db, workspaceId, id))) throw new ApiError('apiTokenNotFound')
}
