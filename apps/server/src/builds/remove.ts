import { ApiError } from '@fairlead/contract'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { deleteBuildRow } from './write-store.ts'
import { transact } from '../db/transact.ts'

/** Deletes a build, and its bytes when no other build has the same ones. */
export async function removeBuild(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  workspaceId: number,
  buildId: number,
): Promise<void> {
  const keys = await context.blobs.reserve.delete(() =>
    transact(context.db, (trx) => deleteBuildRow(trx, workspaceId, buildId)),
  )
  if (!keys) throw new ApiError('buildNotFound')
  await removeKeys(context, keys)
}
