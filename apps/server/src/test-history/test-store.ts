/**
 * Tests over time. A test is a row with its recent results; this file lists tests, and the others say what is known of
 * them: `update-tests.ts` brings a test up to date after each complete run, `flips.ts` tells flaky tests, `streaks.ts`
 * since when a test fails, `durations.ts` what is slow, `quarantine.ts` and `owners.ts` what people decided.
 *
 * Always true: lists read the rows of tests and never scan results, and bringing a test up to date twice changes
 * nothing.
 */
import { ApiError, type ListTests, type Test, type UpdateTest } from '@fairlead/contract'
import type { NotNull } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { sumDurations } from './duration-store.ts'
import { toMonths } from './durations.ts'
import { flaky, suspect } from './flake-state.ts'
import { listFlips } from './flip-store.ts'
import { failed, toOutcome } from '../test-results/outcome.ts'
import { listQuarantinesOfTests } from './quarantine.ts'
import { parseRecent } from './recent-results.ts'
import { type FoundTest, type OrderColumn, type Search, searchTests } from './search-store.ts'

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

/** Lists tests by state: flaky ones by cost, slow ones by p95, others newest first. */
export async function listTests(
  db: Db,
  applicationId: number,
  { state, q, cursor, limit }: ListTests,
): Promise<Paged<Test>> {
  const listed = chooseListed(db, applicationId, state)
  if (q !== undefined && q.trim() !== '') {
    const found = await searchTests(db, applicationId, { ...listed, words: q.trim().toLowerCase() })
    return pageFound(db, found, { order: listed.order, cursor, limit })
  }
  const matching = db
    .selectFrom('tests')
    .where('tests.application_id', '=', applicationId)
    .where('tests.merged_into', 'is', null)
    .where('tests.last_run_id', 'is not', null)
    .where(listed.isListed)
  const { order } = listed
  let rows = matching.selectAll('tests')
  if (order !== null) rows = rows.orderBy(order, 'desc')
  if (cursor !== undefined) {
    const { value, id } = readCursor(cursor)
    rows = rows.where((where) =>
      order === null
        ? where('tests.id', '<', id)
        : where.or([where(order, '<', value), where.and([where(order, '=', value), where('tests.id', '<', id)])]),
    )
  }
  const { items, ...page } = await cutRows({
    rows: await rows
      .orderBy('tests.id', 'desc')
      .limit((limit ?? maxUnpaged) + 1)
      .execute(),
    limit,
    toCursor: (row) => toCursor(row.id, order === null ? null : row[order]),
    count: matching.select(countAll),
  })
  return { ...page, items: await describeTests(db, items) }
}

/** Says which tests are in a list, by columns of theirs, and in which order. */
function chooseListed(db: Db, applicationId: number, state: ListTests['state']) {
  const current = db
    .selectFrom('quarantines')
    .select('test_id')
    .where('application_id', '=', applicationId)
    .where('expires_at', '>', Date.now())
  const lists = {
    all: { isListed: (where) => where.lit(true), order: null },
    flaky: {
      isListed: (where) => where('flake_state', '=', flaky),
      order: 'flake_cost',
    },
    quarantined: { isListed: (where) => where('tests.id', 'in', current), order: null },
    slow: { isListed: (where) => where('p95_ms', 'is not', null), order: 'p95_ms' },
    failing: {
      isListed: (where) =>
        where.and([
          where('default_outcome', '=', failed),
          where('flake_state', '!=', flaky),
          where('tests.id', 'not in', current),
        ]),
      order: null,
    },
  } satisfies Record<string, Omit<Search, 'words'>>
  return lists[state ?? 'all']
}

/** Reads the tests of one page of those that a search has found. */
async function pageFound(
  db: Db,
  found: FoundTest[],
  { order, cursor, limit }: Pick<ListTests, 'cursor' | 'limit'> & { order: OrderColumn | null },
): Promise<Paged<Test>> {
  let rest = found
  if (cursor !== undefined) {
    const { value, id } = readCursor(cursor)
    rest = found.filter((test) => (order === null || test.value === value ? test.id < id : test.value < value))
  }
  const { items, ...page } = await cutRows({
    rows: rest.slice(0, (limit ?? maxUnpaged) + 1),
    limit,
    toCursor: ({ id, value }) => toCursor(id, order === null ? null : value),
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
function toCursor(id: number, value: number | null): string {
  return value === null ? String(id) : `${value}~${id}`
}

/**
 * Reads a cursor that `toCursor` has made.
 *
 * @throws {ApiError} invalidRequest
 */
function readCursor(cursor: string): { value: number; id: number } {
  const parts = cursor.split('~').map(Number)
  const [value = NaN, id = value] = parts
  if (parts.length > 2 || !Number.isSafeInteger(id) || Number.isNaN(value)) {
    throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is not a cursor of this list' }] })
  }
  return { value, id }
}

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
