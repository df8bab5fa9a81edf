import { ApiError, type ListBuilds } from '@fairlead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { selectMatching } from './filter-store.ts'

type BuildSort = NonNullable<ListBuilds['sort']>

/** The keyset cursor of a slice of a sorted list, which begins after the build with these values. */
export type Place = Pick<Row<'builds'>, 'id' | 'size' | 'install_count'>

/** The column of each order that is not that of the ids. Ids decide between equal values. */
const columns = { largest: 'builds.size', installs: 'builds.install_count' } as const

/** Sorts builds, and leaves out those up to and with a place. An index holds the builds in each of the orders. */
export function inOrder(
  query: ReturnType<typeof selectMatching>,
  sort: BuildSort = 'newest',
  after?: Place,
): ReturnType<typeof selectMatching> {
  if (sort === 'oldest') {
    const sorted = query.orderBy('builds.id')
    return after === undefined ? sorted : sorted.where('builds.id', '>', after.id)
  }
  if (sort === 'newest') {
    const sorted = query.orderBy('builds.id', 'desc')
    return after === undefined ? sorted : sorted.where('builds.id', '<', after.id)
  }
  const column = columns[sort]
  const sorted = query.orderBy(column, 'desc').orderBy('builds.id', 'desc')
  if (after === undefined) return sorted
  const value = sort === 'largest' ? after.size : after.install_count
  return sorted.where(sql<boolean>`(${sql.ref(column)}, builds.id) < (${value}, ${after.id})`)
}

/** Compares builds as `inOrder` sorts them. */
export function comparePlaces(sort: BuildSort = 'newest'): (one: Place, other: Place) => number {
  if (sort === 'oldest') return (one, other) => one.id - other.id
  if (sort === 'newest') return (one, other) => other.id - one.id
  const key = sort === 'largest' ? 'size' : 'install_count'
  return (one, other) => other[key] - one[key] || other.id - one.id
}

/**
 * Finds the place of the build that a cursor names, in the trash as well, because it may have got there between two
 * pages.
 *
 * @throws {ApiError} invalidRequest if it is deleted, or of another application
 */
export async function requirePlace(
  db: Db,
  applicationId: number,
  { cursor, sort }: ListBuilds,
): Promise<Place | undefined> {
  if (cursor === undefined) return undefined
  // Lists that are sorted by their ids need no build at their cursor.
  if (sort === undefined || !(sort in columns)) return { id: cursor, size: 0, install_count: 0 }
  const place = await db
    .selectFrom('builds')
    .select(['id', 'size', 'install_count'])
    .where('application_id', '=', applicationId)
    .where('id', '=', cursor)
    .executeTakeFirst()
  if (place) return place
  throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is none that this list gave' }] })
}
