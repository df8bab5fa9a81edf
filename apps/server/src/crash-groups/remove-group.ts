import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { insertDiscards } from './discards-store.ts'
import { deleteGroup, requireGroupRow } from './groups-store.ts'
import { lockApplication } from '../crash-stacks/stacks-store.ts'

/** Deletes a group with its crashes and counts. With `discard`, what comes later is counted as dropped. */
export async function removeCrashGroup(
  { db, config, blobs }: Pick<AppContext, 'db' | 'config' | 'blobs'>,
  workspaceId: number,
  id: number,
  discard: boolean,
): Promise<void> {
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const remove = async (trx: Db) => {
    const group = await requireGroupRow(trx, workspaceId, id)
    await lockApplication(trx, engine, group.application_id)
    if (discard) await insertDiscards(trx, group, Date.now())
    await deleteGroup(trx, id)
  }
  await blobs.reserve.delete(() => db.transaction().execute(remove))
}
