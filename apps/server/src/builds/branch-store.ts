import type { NotNull } from 'kysely'
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
  return db
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
    .$narrowType<{ name: NotNull }>()
    .groupBy('newest.source_branch')
    .orderBy('latest_id', 'desc')
    .limit(branchLimit)
    .execute()
}
