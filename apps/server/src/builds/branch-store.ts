import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'

/** The most builds whose branches are read, because the embedded database reads on the thread that answers requests. */
const buildLimit = 5000
const branchLimit = 200

interface BranchRow {
  name: string
  count: number
  latest_id: number
}

export async function listBranchRows(db: Db, applicationId: number): Promise<BranchRow[]> {
  const rows = await db
    .selectFrom((select) =>
      select
        .selectFrom(visibleBuilds)
        .select(['builds.id', 'builds.source_branch'])
        .where('application_id', '=', applicationId)
        .orderBy('id', 'desc')
        .limit(buildLimit)
        .as('newest'),
    )
    .select((select) => [
      'newest.source_branch as name',
      select.fn.countAll<number>().as('count'),
      select.fn.max('newest.id').as('latest_id'),
    ])
    .where('newest.source_branch', 'is not', null)
    .groupBy('newest.source_branch')
    .orderBy('latest_id', 'desc')
    .limit(branchLimit)
    .execute()
  return rows.map(({ name, count, latest_id }) => ({ name: name ?? '', count, latest_id }))
}
