/**
 * Tests over time. A test is a row with its recent results; this file lists tests, and the others say what is known of
 * them: `update-tests.ts` brings a test up to date after each complete run, `flips.ts` tells flaky tests, `streaks.ts`
 * since when a test fails, `durations.ts` what is slow, `quarantine.ts` and `owners.ts` what people decided.
 *
 * Always true: lists read the rows of tests and never scan results, and bringing a test up to date twice changes
 * nothing.
 */
import { ApiError, type ListTests, type Test, type UpdateTest } from '@fairlead/contract'
import type { NotNull, SelectQueryBuilder } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'
import { sumDurations } from './duration-store.ts'
import { toMonths } from './durations.ts'
import { flaky, suspect } from './flake-state.ts'
import { listFlips } from './flip-store.ts'
import { failed, toOutcome } from '../test-results/outcome.ts'
import { listQuarantinesOfTests } from './quarantine.ts'
import { comparePlaces, findPlaceByName, toRanges } from './name-order-store.ts'
import { parseRecent } from './recent-results.ts'
import { compareValues, type FoundTest, noValue, type Search, searchTests, type TestOrder } from './search-store.ts'

type TestRow = Row<'tests'>

/** @throws {ApiError} testNotFound */
export async function requireTestRow(db: Db, workspaceId: number, id: number): Promise<TestRow> {
  const row = await db
    .selectFrom('tests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new ApiError('testNotFound')
  return row
}

/** Lists tests by state: flaky ones by cost, slow ones by p95, others newest first; or all of them in a given order. */
export async function listTests(
  db: Db,
  applicationId: number,
  { state, q, sort, cursor, limit }: ListTests,
): Promise<Paged<Test>> {
  const listed = chooseListed(db, applicationId, state, sort)
  const { order } = listed
  const start = cursor === undefined ? undefined : await readStart(db, applicationId, order, cursor)
  if (q !== undefined && q.trim() !== '') {
    const found = await searchTests(db, applicationId, { ...listed, words: q.trim().toLowerCase() })
    return pageFound(db, found, { order, start, limit })
  }
  const matching = db
    .selectFrom('tests')
    .where('tests.application_id', '=', applicationId)
    .where('tests.merged_into', 'is', null)
    .where('tests.last_run_id', 'is not', null)
    .where(listed.isListed)
  const size = (limit ?? maxUnpaged) + 1
  const { items, ...page } = await cutRows({
    rows:
      order === 'name'
        ? await readByName(db, matching.selectAll('tests'), { start, size })
        : await readByValue(matching.selectAll('tests'), { order, hasUntimed: sort === 'p95', start, size }),
    limit,
    toCursor: (row) => toCursor(order, { id: row.id, value: toValue(row, order) }),
    count: matching.select(countAll),
  })
  return { ...page, items: await describeTests(db, items) }
}

type RowsOfTests = SelectQueryBuilder<Schema, 'tests', TestRow>

interface Cut {
  /** The last test of the page before. */
  start: FoundTest | undefined
  size: number
}

/** Reads one range after the other until the page is full, which it mostly is after the second. */
async function readByName(db: Db, rows: RowsOfTests, { start, size }: Cut): Promise<TestRow[]> {
  const read: TestRow[] = []
  for (const { isIn, columns } of toRanges(db, start)) {
    if (read.length === size) break
    const ordered = columns.reduce((some, column) => some.orderBy(column), rows.where(isIn))
    for (const row of await ordered.limit(size - read.length).execute()) read.push(row)
  }
  return read
}

interface CutByValue extends Cut {
  order: Exclude<TestOrder, 'name'>
  /** Whether tests without a value are in the list. PostgreSQL puts them first, and its index has no other order. */
  hasUntimed: boolean
}

async function readByValue(rows: RowsOfTests, { order, hasUntimed, start, size }: CutByValue): Promise<TestRow[]> {
  const newestFirst = (some: RowsOfTests) => some.orderBy('tests.id', 'desc').limit(size).execute()
  if (order === 'newest') return newestFirst(start === undefined ? rows : rows.where('tests.id', '<', start.id))
  const ordered = rows.orderBy(order, (column) => (hasUntimed ? column.desc().nullsLast() : column.desc()))
  if (start === undefined) return newestFirst(ordered)
  const { value, id } = start
  return newestFirst(
    ordered.where((where) => {
      const isOlder = where('tests.id', '<', id)
      if (value === noValue) return where.and([where(order, 'is', null), isOlder])
      return where.or([
        where(order, '<', value),
        where.and([where(order, '=', value), isOlder]),
        ...(hasUntimed ? [where(order, 'is', null)] : []),
      ])
    }),
  )
}

/** The value of a test in the column of an order, or `noValue`. */
function toValue(row: TestRow, order: TestOrder): number {
  return order === 'newest' || order === 'name' ? noValue : (row[order] ?? noValue)
}

/** Says which tests are in a list, by columns of theirs, and in which order. */
function chooseListed(db: Db, applicationId: number, state: ListTests['state'], sort: ListTests['sort']) {
  const current = db
    .selectFrom('quarantines')
    .select('test_id')
    .where('application_id', '=', applicationId)
    .where('expires_at', '>', Date.now())
  const ofAll: TestOrder = sort === 'p95' ? 'p95_ms' : (sort ?? 'newest')
  const lists: Record<NonNullable<ListTests['state']> | 'all', Omit<Search, 'words'>> = {
    all: { isListed: (where) => where.lit(true), order: ofAll },
    flaky: {
      isListed: (where) => where('flake_state', '=', flaky),
      order: 'flake_cost',
    },
    quarantined: { isListed: (where) => where('tests.id', 'in', current), order: 'newest' },
    slow: { isListed: (where) => where('p95_ms', 'is not', null), order: 'p95_ms' },
    failing: {
      isListed: (where) =>
        where.and([
          where('default_outcome', '=', failed),
          where('flake_state', '!=', flaky),
          where('tests.id', 'not in', current),
        ]),
      order: 'newest',
    },
  }
  return lists[state ?? 'all']
}

/** Reads the tests of one page of those that a search has found. */
async function pageFound(
  db: Db,
  found: FoundTest[],
  { order, start, limit }: Pick<ListTests, 'limit'> & { order: TestOrder; start: FoundTest | undefined },
): Promise<Paged<Test>> {
  const compare = order === 'name' ? comparePlaces : compareValues
  const rest = start === undefined ? found : found.filter((test) => compare(test, start) > 0)
  const { items, ...page } = await cutRows({
    rows: rest.slice(0, (limit ?? maxUnpaged) + 1),
    limit,
    toCursor: (test) => toCursor(order, test),
    count: { executeTakeFirstOrThrow: async () => ({ count: found.length }) },
  })
  const ids = items.map(({ id }) => id)
  const rows = await selectInBatches(ids, (some) =>
    db.selectFrom('tests').selectAll().where('id', 'in', some).execute(),
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  // A test may be deleted meanwhile.
  return {
    ...page,
    items: await describeTests(
      db,
      ids.flatMap((id) => rowOf.get(id) ?? []),
    ),
  }
}

/** A keyset cursor: `id`, or `value~id` in a list that is sorted by a value. */
function toCursor(order: TestOrder, { id, value }: Pick<FoundTest, 'id' | 'value'>): string {
  return order === 'newest' || order === 'name' ? String(id) : `${value}~${id}`
}

/**
 * Reads a cursor that `toCursor` has made.
 *
 * @throws {ApiError} invalidRequest
 */
async function readStart(db: Db, applicationId: number, order: TestOrder, cursor: string): Promise<FoundTest> {
  const parts = cursor.split('~').map(Number)
  const [value = NaN, id = value] = parts
  const isCursor = parts.length <= 2 && Number.isSafeInteger(id) && !Number.isNaN(value)
  const place = isCursor && order === 'name' ? await findPlaceByName(db, applicationId, id) : noPlace
  if (!isCursor || !place) {
    throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is not a cursor of this list' }] })
  }
  return { ...place, id, value: order === 'newest' || order === 'name' ? noValue : value }
}

/** Lists that are not sorted by name need none. */
const noPlace = { suite: '', class: '', name: '' }

/** Adds flips, ranges, recent results and quarantines to rows of tests. */
export async function describeTests(db: Db, rows: TestRow[]): Promise<Test[]> {
  const ids = rows.map(({ id }) => id)
  const flipsOf = Map.groupBy(await listFlips(db, ids), ({ test_id }) => test_id)
  const streaks = await selectInBatches(ids, (some) =>
    db
      .selectFrom('streaks')
      .selectAll()
      .where('test_id', 'in', some)
      .where('first_failed_run_id', 'is not', null)
      .orderBy('branch')
      .orderBy('environment_id')
      .$narrowType<{ first_failed_run_id: NotNull }>()
      .execute(),
  )
  const streaksOf = Map.groupBy(streaks, ({ test_id }) => test_id)
  const commits = await readCommits(
    db,
    streaks.flatMap((streak) => [streak.last_passed_run_id, streak.first_failed_run_id]),
  )
  const environments = await readEnvironments(db, rows)
  const quarantines = await listQuarantinesOfTests(db, ids)
  const durations = await sumDurations(db, ids)
  const toReference = (runId: number) => ({ runId, commit: commits.get(runId) ?? null })
  const toEnvironment = (id: number) => environments.get(id) ?? null
  return rows.map((row) => ({
    id: row.id,
    applicationId: row.application_id,
    suite: row.suite,
    class: row.class,
    name: row.name,
    parameters: row.parameters,
    file: row.file,
    state: toState(row, quarantines.has(row.id)),
    flips: (flipsOf.get(row.id) ?? []).map((flip) => ({
      commit: flip.commit_hash,
      environment: toEnvironment(flip.environment_id),
    })),
    lastOutcome: row.last_outcome === null ? null : toOutcome(row.last_outcome),
    p95Ms: row.p95_ms,
    owner: row.owner ?? (row.code_owner || null),
    range: (streaksOf.get(row.id) ?? []).map((streak) => ({
      branch: streak.branch === '' ? null : streak.branch,
      environment: toEnvironment(streak.environment_id),
      lastPassed: streak.last_passed_run_id === null ? null : toReference(streak.last_passed_run_id),
      firstFailed: toReference(streak.first_failed_run_id),
    })),
    recent: parseRecent(row).map(({ runId, outcome, durationMs, environmentId, isFlaky }) => ({
      runId,
      environment: toEnvironment(environmentId),
      outcome: toOutcome(outcome),
      isFlaky,
      durationMs,
    })),
    quarantine: quarantines.get(row.id) ?? null,
    flakeCost: row.flake_cost,
    ...toMonths(durations.get(row.id) ?? []),
  }))
}

function toState(row: TestRow, isQuarantined: boolean): Test['state'] {
  if (isQuarantined) return 'quarantined'
  if (row.flake_state === flaky) return 'flaky'
  if (row.default_outcome === failed) return 'failing'
  return row.flake_state === suspect ? 'suspect' : 'healthy'
}

async function readCommits(db: Db, runIds: (number | null)[]): Promise<Map<number, string | null>> {
  const ids = [...new Set(runIds.filter((id) => id !== null))]
  const rows = await selectInBatches(ids, (some) =>
    db.selectFrom('test_runs').select(['id', 'commit_hash']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, commit_hash }) => [id, commit_hash]))
}

async function readEnvironments(db: Db, rows: TestRow[]): Promise<Map<number, string>> {
  const applicationId = rows[0]?.application_id
  if (applicationId === undefined) return new Map()
  const environments = await db
    .selectFrom('environments')
    .select(['id', 'name'])
    .where('application_id', '=', applicationId)
    .execute()
  return new Map(environments.map(({ id, name }) => [id, name]))
}

export async function updateTestRow(db: Db, id: number, { owner, mergedInto }: UpdateTest): Promise<void> {
  const values = {
    ...(owner !== undefined && { owner }),
    ...(mergedInto !== undefined && { merged_into: mergedInto }),
  }
  if (Object.keys(values).length === 0) return
  await db.updateTable('tests').set(values).where('id', '=', id).execute()
}
