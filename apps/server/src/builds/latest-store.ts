import type { Db } from '../db/open.ts'
import { measureGroup, selectMatching } from './filter-store.ts'

/** Which builds of an application count when its newest one is looked for. */
export interface LatestScope {
  applicationId: number
  /** Only builds that were distributed to this group. */
  groupId: number | null
  /** Only builds of this branch. */
  branch: string | null
  /** Whether builds count that were distributed to no group. */
  follows: 'distributed' | 'uploaded'
}

/** Lists the highest ids of a scope whose own install links are neither expired nor revoked, highest first. */
export async function listLatestIds(db: Db, scope: LatestScope, limit: number): Promise<number[]> {
  const { applicationId, groupId, branch, follows } = scope
  const group = groupId === null ? undefined : await measureGroup(db, groupId)
  let query = selectMatching(db, applicationId, branch === null ? {} : { branch }, group)
    .select('builds.id')
    .where('builds.link_revoked_at', 'is', null)
    .where('builds.expires_at', '>', Date.now())
  if (groupId === null && follows === 'distributed') {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('build_groups')
          .select('build_groups.build_id')
          .whereRef('build_groups.build_id', '=', 'builds.id'),
      ),
    )
  }
  const rows = await query.orderBy('builds.id', 'desc').limit(limit).execute()
  return rows.map(({ id }) => id)
}
