import { ApiError } from '@fairlead/contract'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { deleteSymbolsFile } from './store.ts'
import { transact } from '../db/transact.ts'

export async function removeSymbolsFile(
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'jobs'>,
  workspaceId: number,
  id: number,
): Promise<void> {
  const keys = await context.blobs.reserve.delete(() =>
    transact(context.db, (trx) => deleteSymbolsFile(trx, workspaceId, id)),
  )
  if (!keys) throw new ApiError('symbolsFileNotFound')
  context.jobs.wake()
  await removeKeys(context, keys)
}
