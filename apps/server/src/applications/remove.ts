import type { AppContext } from '../context.ts'
import { removeKeys } from '../blobs/records.ts'
import { deleteBuildsOf } from '../builds/store.ts'
import { deleteSymbolsFilesOf } from '../symbols-files/store.ts'
import { requireApplication } from './application.ts'

/** Deletes an application with its builds and symbols, and every blob that nothing else refers to. */
export async function removeApplication(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'log'>,
  workspaceId: number,
  id: number,
): Promise<void> {
  await requireApplication(context, workspaceId, id)
  const keys = await context.db.transaction().execute(async (trx) => {
    const released = [...(await deleteBuildsOf(trx, id)), ...(await deleteSymbolsFilesOf(trx, id))]
    await trx.deleteFrom('applications').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
    return released
  })
  await removeKeys(context, keys)
}
