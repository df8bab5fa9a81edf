import type { AppContext } from '../context.ts'
import type { BuildRecord } from './build.ts'
import { type LatestScope, listLatestIds } from './latest-store.ts'
import { listBuildRecordsById } from './store.ts'

export type { LatestScope } from './latest-store.ts'

/** Lists the newest builds of a scope, at most `limit`, the newest first. */
export async function listLatestBuilds(
  { db }: Pick<AppContext, 'db'>,
  scope: LatestScope,
  limit: number,
): Promise<BuildRecord[]> {
  return listBuildRecordsById(db, await listLatestIds(db, scope, limit))
}

/** Lists the ids of the newest builds of a scope, likewise. */
export async function listLatestBuildIds(
  { db }: Pick<AppContext, 'db'>,
  scope: LatestScope,
  limit: number,
): Promise<number[]> {
  return listLatestIds(db, scope, limit)
}
