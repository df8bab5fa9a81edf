import { requireKey } from '@fairlead/invariant'
import type { Build, ListBuilds } from '@fairlead/contract'
import type { ApplicationRow } from '../applications/application.ts'
import type { AppContext } from '../context.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { type BuildRecord, changesAt, toBuild } from './build.ts'
import type { Db } from '../db/open.ts'
import { toBuildNumber } from './filter-store.ts'
import { toListTopics } from './hold-answer.ts'
import { searchBuilds } from './search.ts'
import { comparePlaces, type Place, requirePlace } from './sort-store.ts'
import { countBuilds, listBuildRecords, listBuildRecordsById, listNewestRecords } from './store.ts'
import { toPageVersion } from './version-store.ts'

/** A list without a limit returns every build, so it is read and sent in slices of this many rows. */
const sliceSize = 500

interface BuildPage extends Omit<Paged<Build>, 'items'> {
  /** The builds as a JSON array in UTF-8. Text would be encoded anew for each answer. */
  json: Buffer
  /** Epoch milliseconds at which the JSON becomes wrong because one of the builds expires. */
  staleAt: number
  /** Over PostgreSQL: differs when anything differs that the page is made of; undefined for a page of a filter. */
  version: string | undefined
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
  const topics = toListTopics(application.id)
  const page = await context.memo.remember(key, read, { topics: () => topics, weigh: ({ json }) => json.length })
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
  const { version, ...found } = isSearch(query)
    ? { ...(await searchPage(context, application.id, query)), version: undefined }
    : await filterPage(context, application, query)
  const { items, ...rest } = toPage(found.records, query, found.total)
  const staleAt = Math.min(...items.map(changesAt))
  const json = Buffer.from(JSON.stringify(items.map((record) => toBuild(record, config.baseUrl))))
  return { ...rest, json, staleAt, version }
}

async function filterPage(
  { db }: Pick<AppContext, 'db'>,
  application: ApplicationRow,
  query: ListBuilds & { limit: number },
): Promise<FoundBuilds & { version: string | undefined }> {
  const limit = query.limit + 1
  const isNewestFirst = query.sort === undefined || query.sort === 'newest'
  if (isFiltered(query) || !isNewestFirst) {
    const after = await requirePlace(db, application.id, query)
    const records = await listBuildRecords(db, application.id, query, { after, limit })
    const count = isFiltered(query) ? await countBuilds(db, application.id, query) : application.build_count
    return { records, total: count, version: undefined }
  }
  const records = await listNewestRecords(db, application.id, { below: query.cursor, limit })
  // Counting a million rows is slow; without a filter the application row already holds the count.
  const total = application.build_count
  const versions = records.map(({ version_text: text }) => text)
  return { records, total, version: toPageVersion(total, versions) }
}

async function searchPage(
  context: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds & { limit: number },
): Promise<FoundBuilds> {
  const { places, total } = await findPlaces(context, applicationId, query, query.limit + 1)
  return { records: await readPlaces(context.db, places), total }
}

/** Finds the builds of a search behind the cursor, in their order, and counts all of the search. */
async function findPlaces(
  context: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds,
  limit: number,
): Promise<{ places: Place[]; total: number }> {
  const after = await requirePlace(context.db, applicationId, query)
  const compare = comparePlaces(query.sort)
  let places: Place[] = []
  let total = 0
  for await (const found of searchBuilds(context, applicationId, query)) {
    total += found.length
    places.push(...found.filter((place) => after === undefined || compare(place, after) > 0))
    // Rows that cannot be on the page are dropped, but not at every slice, because that would sort the page each time.
    if (places.length > 2 * limit + sliceSize) places = places.toSorted(compare).slice(0, limit)
  }
  return { places: places.toSorted(compare).slice(0, limit), total }
}

/** Reads builds by their ids and keeps their order. */
async function readPlaces(db: Db, places: Place[]): Promise<BuildRecord[]> {
  const records = await listBuildRecordsById(
    db,
    places.map(({ id }) => id),
  )
  const orderOf = new Map(places.map(({ id }, order) => [id, order]))
  return records.toSorted((one, other) => requireKey(orderOf, one.id) - requireKey(orderOf, other.id))
}

/** Iterates over all builds of an application, slice by slice. */
export async function* iterateBuilds(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds,
): AsyncGenerator<Build[]> {
  if (isSearch(query)) {
    for await (const places of iteratePlaces({ db, config }, applicationId, query)) {
      const records = await readPlaces(db, places)
      yield records.map((record) => toBuild(record, config.baseUrl))
    }
    return
  }
  let after = await requirePlace(db, applicationId, query)
  for (;;) {
    const records = await listBuildRecords(db, applicationId, query, { after, limit: sliceSize })
    yield records.map((record) => toBuild(record, config.baseUrl))
    if (records.length < sliceSize) return
    after = records.at(-1)
  }
}

/** Finds the builds of a search slice by slice. Only an order that differs from its own needs all of them first. */
async function* iteratePlaces(
  context: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  query: ListBuilds,
): AsyncGenerator<Place[]> {
  if (query.sort === undefined || query.sort === 'newest') {
    const { cursor = Infinity } = query
    for await (const found of searchBuilds(context, applicationId, query)) yield found.filter(({ id }) => id < cursor)
    return
  }
  const { places } = await findPlaces(context, applicationId, query, Infinity)
  for (let start = 0; start < places.length; start += sliceSize) yield places.slice(start, start + sliceSize)
}

/** Tells whether words are searched for. The number of a build is a filter, because an index holds it. */
function isSearch(query: ListBuilds): boolean {
  const { q = '' } = query
  return q.trim() !== '' && toBuildNumber(query) === undefined
}

function isFiltered(query: ListBuilds): boolean {
  const { distributionGroupName, branch, branchPrefix, shortVersion, version } = query
  const filters = [distributionGroupName, branch, branchPrefix, shortVersion, version, toBuildNumber(query)]
  return filters.some((value) => value !== undefined)
}
