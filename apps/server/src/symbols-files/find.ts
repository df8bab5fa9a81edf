import type { AppContext } from '../context.ts'
import { listKnownUuids } from './store.ts'

/** Returns those of some UUIDs, in lower case, that an application has symbols of. */
export async function findKnownUuids(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  uuids: string[],
): Promise<ReadonlySet<string>> {
  return listKnownUuids(db, applicationId, uuids)
}
