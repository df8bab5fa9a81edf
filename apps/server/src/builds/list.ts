import type { Build, ListBuilds } from '@fairlead/contract'
import type { ApplicationRow } from '../applications/application.ts'
import type { AppContext } from '../context.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { type BuildRecord, changesAt, toBuild } from './build.ts'
import { searchBuilds } from './search.ts'
import { countBuilds, listBuildRecords, listBuildRecordsById } from './store.ts'

/** A list without a limit returns every build, so it is read and sent in slices of this many rows. */
const sliceSize = 500

interface BuildPage extends Omit<Paged<Build>, 'items'> {
  /** The builds as a JSON array in UTF-8. Text would be encoded anew for each answer. */
  json: Buffer
  /** Epoch milliseconds at which the JSON becomes wrong because one of the builds expires. */
  staleAt: number
}

interface FoundBuilds {
  /** The builds of the page and one more, if there is one. */
  records: BuildRecord[]
  total: number
}

/** Returns one page of an application's builds as JSON. */
export async function listBuilds(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<BuildPage> {
  const read = () => readPage(context, application, query)
  const key = `builds ${application.id} ${JSON.stringify(query)}`
  const page = await context.memo.remember(key, read, ({ json }) => json.length)
  return page.staleAt > Date.now() ? page : read()
}

/** Returns one page of an application's builds. */
export async function findBuilds(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<Paged<Build>> {
  const { items, ...rest } = await findRecords(context, application, query)
  return { ...rest, items: items.map((record) => toBuild(record, context.config.baseUrl)) }
}

async function findRecords(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<Paged<BuildRecord>> {
  const { records, total } = isSearch(query)
    ? await searchPage(context, application.id, query)
    : await filterPage(context, application, query)
  return toPage(records, query, total)
}

async function readPage(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<BuildPage> {
  const { config } = context
  const { items, ...rest } = await findRecords(context, application, query)
  const staleAt = Math.min(...items.map(changesAt))
  const json = Buffer.from(JSON.stringify(items.map((record) => toBuild(record, config.baseUrl))))
  return { ...rest, json, staleAt }
}

async function filterPage(
  { db }: Pick<AppContext, 'db'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<FoundBuilds> {
  const slice = { below: query.cursor, limit: query.limit + 1 }
  const records = await listBuildRecords(db, application.id, query, slice)
  // Counting a million rows is slow; without a filter the application row already holds the count.
  const total = isFiltered(query) ? await countBuilds(db, application.id, query) : application.build_count
  return { records, total }
}

async function searchPage(
  context: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds & { limit: number },
): Promise<FoundBuilds> {
  const found: number[] = []
  let total = 0
  for await (const ids of searchBuilds(context, applicationId, query)) {
    total += ids.length
    const room = query.limit + 1 - found.length
    found.push(...ids.filter((id) => query.cursor === undefined || id < query.cursor).slice(0, room))
  }
  return { records: await listBuildRecordsById(context.db, found), total }
}

/** Iterates over all builds of an application, slice by slice. */
export async function* iterateBuilds(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds,
): AsyncGenerator<Build[]> {
  if (isSearch(query)) {
    for await (const ids of searchBuilds({ db, config }, applicationId, query, query.cursor)) {
      const records = await listBuildRecordsById(db, ids)
      yield records.map((record) => toBuild(record, config.baseUrl))
    }
    return
  }
  let below = query.cursor
  for (;;) {
    const records = await listBuildRecords(db, applicationId, query, { below, limit: sliceSize })
    yield records.map((record) => toBuild(record, config.baseUrl))
    if (records.length < sliceSize) return
    below = records.at(-1)?.id
  }
}

function isSearch({ q = '' }: ListBuilds): boolean {
  return q.trim() !== ''
}

function isFiltered({ distributionGroupName, branch, branchPrefix, shortVersion, version }: ListBuilds): boolean {
  return [distributionGroupName, branch, branchPrefix, shortVersion, version].some((value) => value !== undefined)
}
