/**
 * Searches of tests. The embedded database compares on the thread that answers requests, so that tests are read in
 * slices, between which other requests are answered.
 */
import { setImmediate } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

/** The most tests that one statement compares. */
const sliceSize = 1000

/** A column that a list is sorted by, before the id. */
export type OrderColumn = 'flake_cost' | 'p95_ms'

/** A condition that tells whether a test is in a list. */
export type ListedTest = (where: ExpressionBuilder<Schema, 'tests'>) => Expression<SqlBool>

export interface Search {
  words: string
  isListed: ListedTest
  order: OrderColumn | null
}

export interface FoundTest {
  id: number
  /** The value of the column that the list is sorted by; 0 without one. */
  value: number
}

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
  return search.order === null ? found : found.toSorted((a, b) => b.value - a.value || b.id - a.id)
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
  const rows = await db
    .selectFrom('tests')
    .select(['tests.id', (order === null ? sql<number | null>`0` : sql.ref<number | null>(order)).as('value')])
    .where('tests.id', 'in', ids)
    .where('merged_into', 'is', null)
    .where('last_run_id', 'is not', null)
    .where(isListed)
    .orderBy('tests.id', 'desc')
    .execute()
  return rows.map(({ id, value }) => ({ id, value: value ?? 0 }))
}
