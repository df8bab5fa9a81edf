import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@fairlead/contract'
import { deleteBlobs, releaseApplicationBlobs, removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { requireApplication } from './find.ts'
import { deleteApplicationRow, deleteSomeDeliveries, lockApplicationRow } from './store.ts'
import { transact } from '../db/transact.ts'

/** Deletes an application with its builds and symbols, and every blob that nothing else refers to. */
export async function removeApplication(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'log'>,
  workspaceId: number,
  id: number,
): Promise<void> {
  await requireApplication(context, workspaceId, id)
  // Deliveries that wait are deleted first and in small transactions: the write-ahead log of a single one would need
  // as much space as all of them.
  const deleteSome = () => deleteSomeDeliveries(context.db, id)
  while ((await context.blobs.reserve.delete(deleteSome)) > 0) await setImmediate()
  const deleteRows = () =>
    transact(context.db, async (trx) => {
      if (!(await lockApplicationRow(trx, id))) throw new ApiError('applicationNotFound')
      const unreferenced = await releaseApplicationBlobs(trx, id)
      await deleteApplicationRow(trx, workspaceId, id)
      return deleteBlobs(trx, unreferenced)
    })
  const keys = await context.blobs.reserve.delete(deleteRows)
  await removeKeys(context, keys)
}
