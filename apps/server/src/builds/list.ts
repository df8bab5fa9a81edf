import type { Build, ListBuilds } from '@fairlead/contract'
import { requireApplication } from '../applications/application.ts'
import type { AppContext } from '../context.ts'
import { type Paged, readCursor, toPage } from '../http/paging.ts'
import { toBuild } from './build.ts'
import { countBuilds, listBuildRecords } from './store.ts'

/** A list without a limit is complete however long it is, so it is read and sent in slices of this many. */
const sliceSize = 500

/** One page of an application's builds. */
export async function listBuilds(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  applicationId: number,
  query: ListBuilds & { limit: number },
): Promise<Paged<Build>> {
  const { db, config } = context
  const application = await requireApplication(context, workspaceId, applicationId)
  const slice = { below: readCursor(query), limit: query.limit + 1 }
  const records = await listBuildRecords(db, applicationId, query, slice)
  // Counting a million rows takes long, and without a filter the application knows the number.
  const total = isFiltered(query) ? await countBuilds(db, applicationId, query) : application.build_count
  return toPage(
    records.map((record) => toBuild(record, config.baseUrl)),
    query,
    total,
  )
}

/** All of an application's builds, slice by slice. */
export async function* iterateBuilds(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds,
): AsyncGenerator<Build[]> {
  let below = readCursor(query)
  for (;;) {
    const records = await listBuildRecords(db, applicationId, query, { below, limit: sliceSize })
    yield records.map((record) => toBuild(record, config.baseUrl))
    if (records.length < sliceSize) return
    below = records.at(-1)?.id
  }
}

function isFiltered({ distributionGroupName, q, branch, shortVersion, version }: ListBuilds): boolean {
  return [distributionGroupName, q, branch, shortVersion, version].some((value) => value !== undefined)
}
