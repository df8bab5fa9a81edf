/**
 * Searches of tests. The embedded database compares on the thread that answers requests, so that tests are read in
 * slices, between which other requests are answered.
 */
import { setImmediate } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { classOfTest, comparePlaces, nameOfTest, type PlaceByName, suiteOfTest } from './name-order-store.ts'

/** The most tests that one statement compares. */
const sliceSize = 1000

/** By a column, the largest value first and tests without one last; or by name; or the newest first. */
export type TestOrder = 'newest' | 'name' | 'flake_cost' | 'p95_ms'

/** A condition that tells whether a test is in a list. */
export type ListedTest = (where: ExpressionBuilder<Schema, 'tests'>) => Expression<SqlBool>

export interface Search {
  words: string
  isListed: ListedTest
  order: TestOrder
}

/** A test that a search has found. Its names are empty in a list that is not sorted by them. */
export interface FoundTest extends PlaceByName {
  /** The value of the column that the list is sorted by, or `noValue`. */
  value: number
}

/** Stands for the value of a test that has none, and for all values in a list that is sorted by no column. */
export const noValue = -1

/** Finds the tests of an application that hold the words in suite, class and name, in the order of the list. */
export async function searchTests(db: Db, applicationId: number, search: Search): Promise<FoundTest[]> {
  const found: FoundTest[] = []
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const { matching, count, last } = await compareSlice(db, applicationId, search.words, below)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement makes a list of ids
    const ids = JSON.parse(matching ?? '[]') as number[]
    if (ids.length > 0) for (const test of await readListed(db, ids, search)) found.push(test)
    if (count < sliceSize || last === null) break
    below = last
    await setImmediate()
  }
  return search.order === 'newest' ? found : found.toSorted(search.order === 'name' ? comparePlaces : compareValues)
}

/** Compares by value and id, both from the largest, which is the order of all lists that are not sorted by name. */
export function compareValues(a: Pick<FoundTest, 'value' | 'id'>, b: Pick<FoundTest, 'value' | 'id'>): number {
  return b.value - a.value || b.id - a.id
}

/**
 * Compares the newest tests below an id. The index `tests_searched` holds all that this reads. The ids come as one JSON
 * text, because a row object for each test takes longer than comparing it.
 */
async function compareSlice(db: Db, applicationId: number, words: string, below: number) {
  const [position, list] = isPostgres(db)
    ? [sql.raw<number>('strpos'), sql.raw('json_agg')]
    : [sql.raw<number>('instr'), sql.raw('json_group_array')]
  const text = sql<string>`lower(coalesce(suite, '') || ' ' || coalesce(class, '') || ' ' || name)`
  const slice = db
    .selectFrom('tests')
    .select(['id', sql<boolean>`${position}(${text}, ${words}) > 0`.as('is_match')])
    .where('application_id', '=', applicationId)
    .where('id', '<', below)
    .orderBy('id', 'desc')
    .limit(sliceSize)
    .as('slice')
  return db
    .selectFrom(slice)
    .select([
      sql<string | null>`cast(${list}(id) filter (where is_match) as text)`.as('matching'),
      sql<number>`count(*)`.as('count'),
      sql<number | null>`min(id)`.as('last'),
    ])
    .executeTakeFirstOrThrow()
}

/** Reads which of some tests are in the list, newest first. */
async function readListed(db: Db, ids: number[], { isListed, order }: Search): Promise<FoundTest[]> {
  const isByName = order === 'name'
  const isByValue = !isByName && order !== 'newest'
  const none = sql<string>`''`
  const rows = await db
    .selectFrom('tests')
    .select([
      'tests.id',
      (isByValue ? sql.ref<number | null>(order) : sql<null>`null`).as('value'),
      (isByName ? suiteOfTest : none).as('suite'),
      (isByName ? classOfTest : none).as('class'),
      (isByName ? nameOfTest : none).as('name'),
    ])
    .where('tests.id', 'in', ids)
    .where('merged_into', 'is', null)
    .where('last_run_id', 'is not', null)
    .where(isListed)
    .orderBy('tests.id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, value: row.value ?? noValue }))
}
