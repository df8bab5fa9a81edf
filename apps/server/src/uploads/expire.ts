import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { deleteUpload, listExpired } from './store.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'log'>

/** Deletes an upload and the bytes that have arrived. */
export async function deleteUploadWithParts(context: Context, id: string): Promise<void> {
  const keys = await transact(context.db, (trx) => deleteUpload(trx, id))
  await removeKeys(context, keys)
}

/** Deletes uploads that have expired, of one workspace or of all. Returns their number. */
export async function expireUploads(context: Context, now: number, workspaceId?: number): Promise<number> {
  const ids = await listExpired(context.db, now, workspaceId)
  for (const id of ids) await deleteUploadWithParts(context, id)
  return ids.length
}
