import type { Page, TestFailureGroup } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Paged } from '../db/paging.ts'
import { toInstant } from '../http/instant.ts'
import { listGroupsOfApplication } from './group-store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** Lists the groups of failures that were seen in complete runs, newest first. */
export async function listFailureGroups(db: Db, applicationId: number, page: Page): Promise<Paged<TestFailureGroup>> {
  const { items, ...rest } = await listGroupsOfApplication(db, applicationId, page)
  const groups = items.map((row) => ({
    id: row.id,
    title: row.title,
    type: row.type,
    frames: parseJsonText(row.frames),
    firstRunId: row.first_run_id,
    lastRunId: row.last_run_id,
    createdDate: toInstant(row.created_at),
  }))
  return { ...rest, items: groups }
}
