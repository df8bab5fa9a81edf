import {
  ApiError,
  type ListTestResults,
  type OrderedPage,
  type ResultOfTest,
  type TestResult,
} from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { expressionBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Schema } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { toClassCode, toFailureClass, toOutcome, toOutcomeCode } from './outcome.ts'
import { countAttachments, type RowPlace, selectByPlace, toPlaceKey } from './result-attachment-store.ts'
import { parseJsonText } from '../db/json-text.ts'

type ResultTables = { result: Schema['test_results'] }

/** The results that are shown, without those that a later attempt replaced. */
function selectShown(db: Db) {
  return db.selectFrom('test_results as result').where('result.case_number', 'is not', null)
}

function selectResults(db: Db) {
  return selectShown(db)
    .innerJoin('tests as test', 'test.id', 'result.test_id')
    .leftJoin('environments as environment', 'environment.id', 'result.environment_id')
    .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
}

const columns = [
  'result.run_id',
  'result.test_id',
  'result.environment_id',
  'result.report_id',
  'result.number',
  'result.case_number',
  'result.outcome',
  'result.is_flaky',
  'result.attempts',
  'result.failed_attempts',
  'result.duration_ms',
  'result.classification',
  'result.failure_id',
  'test.suite',
  'test.class',
  'test.name',
  'test.parameters',
  'test.file',
  'environment.name as environment',
  'failure.group_id',
  'failure.attempts as attempt_text',
] as const

type ResultRecord = Awaited<ReturnType<typeof readFirst>>[number]

function readFirst(db: Db) {
  return selectResults(db).select(columns).execute()
}

/** Lists results of a run by suite, class, name, parameters, environment and case. */
export async function listResults(
  db: Db,
  runId: number,
  { outcome, classification, reportId, cursor, limit }: ListTestResults,
): Promise<Paged<TestResult>> {
  const where = expressionBuilder<ResultTables, 'result'>()
  const conditions = [where('result.run_id', '=', runId)]
  if (reportId !== undefined) conditions.push(where('result.report_id', '=', reportId))
  if (outcome !== undefined) conditions.push(where('result.outcome', '=', toOutcomeCode(outcome)))
  if (classification !== undefined) {
    conditions.push(where('result.classification', '=', toClassCode(classification)))
    conditions.push(where('result.outcome', '=', toOutcomeCode('failed')))
  }
  const isMatching = where.and(conditions)
  let rows = selectResults(db).where(isMatching).select(columns)
  if (cursor !== undefined) {
    const place = await requirePlace(db, runId, cursor)
    rows = rows.where(sql<boolean>`(${sql.join(sortKeys)}) > (${sql.join(place)})`)
  }
  for (const key of sortKeys) rows = rows.orderBy(key)
  const { items, ...page } = await cutRows({
    rows: await rows.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ test_id, environment_id, case_number }) => `${test_id}.${environment_id}.${case_number}`,
    count: selectShown(db).where(isMatching).select(countAll),
  })
  return { ...page, items: await toResults(db, items) }
}

const sortKeys = [
  sql<string>`coalesce(test.suite, '')`,
  sql<string>`coalesce(test.class, '')`,
  sql<string>`test.name`,
  sql<string>`coalesce(test.parameters, '')`,
  sql<string>`coalesce(environment.name, '')`,
  sql<number>`result.case_number`,
  sql<number>`result.test_id`,
]

/**
 * The sort keys of the result that a keyset cursor names.
 *
 * @throws {ApiError} invalidRequest
 */
async function requirePlace(db: Db, runId: number, cursor: string): Promise<(string | number)[]> {
  const [testId, environmentId, caseNumber] = readNumbers(cursor)
  const row = await selectResults(db)
    .select(columns)
    .where('result.run_id', '=', runId)
    .where('result.test_id', '=', testId)
    .where('result.environment_id', '=', environmentId)
    .where('result.case_number', '=', caseNumber)
    .executeTakeFirst()
  if (!row) throw refuseCursor()
  const { suite, class: className, name, parameters, environment, case_number, test_id } = row
  return [suite ?? '', className ?? '', name, parameters ?? '', environment ?? '', case_number ?? 1, test_id]
}

/** @throws {ApiError} invalidRequest */
function readNumbers(cursor: string): [number, number, number] {
  const [a = NaN, b = NaN, c = NaN, ...more] = cursor.split('.').map(Number)
  if (![a, b, c].every((part) => Number.isSafeInteger(part) && part >= 0) || more.length > 0) throw refuseCursor()
  return [a, b, c]
}

function refuseCursor(): ApiError {
  return new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is not a cursor of this list' }] })
}

/** Lists the results of a test, newest run first. */
export async function listResultsOfTest(
  db: Db,
  testId: number,
  { cursor, limit }: OrderedPage,
): Promise<Paged<ResultOfTest>> {
  let rows = selectResults(db)
    .innerJoin('test_runs as run', 'run.id', 'result.run_id')
    .where('result.test_id', '=', testId)
    .select([...columns, 'run.branch', 'run.commit_hash', 'run.created_at'])
  if (cursor !== undefined) {
    const [runId, environmentId, caseNumber] = readNumbers(cursor)
    // The condition on the run alone lets the database start there; it does not see that from the alternatives.
    rows = rows
      .where('result.run_id', '<=', runId)
      .where((where) =>
        where.or([
          where('result.run_id', '<', runId),
          where.and([
            where('result.run_id', '=', runId),
            sql<boolean>`(result.environment_id, result.case_number) > (${environmentId}, ${caseNumber})`,
          ]),
        ]),
      )
  }
  const { items, ...page } = await cutRows({
    rows: await rows
      .orderBy('result.run_id', 'desc')
      .orderBy('result.environment_id')
      .orderBy('result.case_number')
      .limit((limit ?? maxUnpaged) + 1)
      .execute(),
    limit,
    toCursor: ({ run_id, environment_id, case_number }) => `${run_id}.${environment_id}.${case_number}`,
    count: selectShown(db).where('result.test_id', '=', testId).select(countAll),
  })
  const results = await toResults(db, items)
  return {
    ...page,
    items: results.map((result, index) => {
      const { run_id: runId, branch, commit_hash: commit, created_at } = requireAt(items, index)
      return { ...result, runId, branch, commit, runDate: toInstant(created_at) }
    }),
  }
}

/** Reads the results of some tests of a run. */
export async function listResultsOfTests(db: Db, runId: number, testIds: number[]): Promise<TestResult[]> {
  if (testIds.length === 0) return []
  const rows = await selectResults(db)
    .select(columns)
    .where('result.run_id', '=', runId)
    .where('result.test_id', 'in', testIds)
    .orderBy(sql`coalesce(test.suite, '')`)
    .orderBy(sql`coalesce(test.class, '')`)
    .orderBy('test.name')
    .orderBy('result.case_number')
    .execute()
  return toResults(db, rows)
}

/** A row that is an earlier attempt is added to the result of the last attempt of its case. */
async function toResults(db: Db, rows: ResultRecord[]): Promise<TestResult[]> {
  const earlier = await listEarlierAttempts(db, rows)
  const attachments = await countAttachments(db, rows)
  return rows.map((row) => {
    const before = earlier.get(toPlaceKey(row)) ?? []
    const attempts = [...before, row].flatMap(toAttempts)
    const hasFailed = attempts.some(({ outcome }) => outcome === 'failed')
    return {
      testId: row.test_id,
      suite: row.suite,
      class: row.class,
      name: row.name,
      parameters: row.parameters,
      file: row.file,
      environment: row.environment,
      case: row.case_number ?? 1,
      outcome: toOutcome(row.outcome),
      isFlaky: row.is_flaky === 1,
      durationMs: row.duration_ms,
      attempts,
      classification: toOutcome(row.outcome) === 'failed' ? toFailureClass(row.classification) : null,
      failureId: hasFailed ? row.failure_id : null,
      groupId: hasFailed ? row.group_id : null,
      attachmentCount: [...before, row].reduce((sum, one) => sum + (attachments.get(toPlaceKey(one)) ?? 0), 0),
    }
  })
}

type EarlierRow = Pick<ResultRecord, 'outcome' | 'duration_ms' | 'attempt_text' | keyof RowPlace>

async function listEarlierAttempts(db: Db, rows: ResultRecord[]): Promise<Map<string, EarlierRow[]>> {
  const found = new Map<string, EarlierRow[]>()
  const retried = await selectByPlace(rows, (runIds, testIds) =>
    db
      .selectFrom('test_results as result')
      .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
      .innerJoin('test_reports as report', 'report.id', 'result.report_id')
      .select([
        'result.run_id',
        'result.test_id',
        'result.environment_id',
        'result.report_id',
        'result.number',
        'result.retried_by',
        'result.outcome',
        'result.duration_ms',
        'failure.attempts as attempt_text',
      ])
      .where('result.run_id', 'in', runIds)
      .where('result.test_id', 'in', testIds)
      .where('result.retried_by', 'is not', null)
      .orderBy('report.shard')
      .orderBy('report.id')
      .orderBy('result.number')
      .execute(),
  )
  for (const row of retried) {
    const key = `${row.run_id} ${row.test_id} ${row.environment_id} ${row.retried_by}`
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return found
}

function toAttempts(row: EarlierRow): TestResult['attempts'] {
  if (row.attempt_text === null) {
    return [{ outcome: toOutcome(row.outcome), durationMs: row.duration_ms, message: null }]
  }
  const attempts = parseJsonText(row.attempt_text)
  return attempts.map(({ outcome, durationMs, failures }) => ({
    outcome,
    durationMs,
    message: failures[0]?.message ?? null,
  }))
}

/** @throws {ApiError} invalidRequest when the other run belongs to another application */
export function requireSameApplication(a: { application_id: number }, b: { application_id: number }): void {
  if (a.application_id === b.application_id) return
  throw new ApiError('invalidRequest', { faults: [{ source: 'to', detail: 'is a run of another application' }] })
}
