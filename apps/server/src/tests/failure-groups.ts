import type { Page, TestFailureGroup } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import { toInstant } from '../http/instant.ts'

/** Lists the groups of failures that were seen in complete runs, newest first. */
export async function listFailureGroups(db: Db, applicationId: number, page: Page): Promise<Paged<TestFailureGroup>> {
  const matching = db
    .selectFrom('failure_groups')
    .where('application_id', '=', applicationId)
    .where('last_run_id', 'is not', null)
  let query = matching.selectAll().orderBy('id', 'desc')
  if (page.cursor !== undefined) query = query.where('id', '<', page.cursor)
  const { items, ...rest } = await cutRows({
    rows: await query.limit((page.limit ?? maxUnpaged) + 1).execute(),
    limit: page.limit,
    toCursor: ({ id }) => String(id),
    count: matching.select(countAll),
  })
  const groups = items.map((row) => ({
    id: row.id,
    title: row.title,
    type: row.type,
    frames: JSON.parse(row.frames) as string[], // only `takeGroups` writes this column
    firstRunId: row.first_run_id,
    lastRunId: row.last_run_id,
    createdDate: toInstant(row.created_at),
  }))
  return { ...rest, items: groups }
}
