import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../db/open.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'
import { countRows } from '../testing/count-rows.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { toJsonText } from '../db/json-text.ts'
import { deleteReport } from './delete-report-store.ts'
import { insertReport } from './report-store.ts'
import { insertResultRows } from './result-row-store.ts'

describe('Deleting a report that is not shown', () => {
  let database: OpenTestDatabase
  let db: Db

  before(async () => {
    database = await openTestDatabase()
    db = database.db
  })
  after(() => database?.[Symbol.asyncDispose]())

  it('reads and deletes a thousand rows in a statement, and leaves the other reports of its run', async () => {
    const { applicationId } = await fillOneBuild(db)
    const { workspace_id } = await db.selectFrom('applications').select('workspace_id').executeTakeFirstOrThrow()
    const run = { workspace_id, application_id: applicationId, attempt: 1, state: 'open' as const, report_count: 1 }
    const times = { shards_received: toJsonText<number[]>([]), created_at: 1, updated_at: 1 }
    const { id: runId } = await db
      .insertInto('test_runs')
      .values({ ...run, ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    const add = async (rows: number) => {
      const counts = { cases: 1, passed: 0, failed: 1, skipped: 0, flaky: 0, attempts: 1 }
      const summary = { format: 'junit' as const, counts, unlisted: 0, warnings: [], files: [] }
      const marks = { isIncomplete: false, isInfrastructureFailure: false }
      const paths = { casesPath: '', detailsPath: '', suiteOutputs: [], attachments: [], ...marks }
      const headers = { attempt: 1, shard: null }
      const reportId = await insertReport(db, runId, applicationId, headers, { ...summary, ...paths })
      const common = { run_id: runId, environment_id: 1, report_id: reportId, is_device_failure: 0 }
      const texts = { attempts: toJsonText<[]>([]), outputs: toJsonText<[]>([]) }
      const failures = Array.from({ length: rows }, (_, index) => {
        return { ...common, ...texts, test_id: 1 + (index % 3), number: index }
      })
      const places: { id: number; test_id: number; environment_id: number; number: number }[] = []
      for (let start = 0; start < rows; start += 1000) {
        const some = db.insertInto('test_failures').values(failures.slice(start, start + 1000))
        places.push(...(await some.returning(['id', 'test_id', 'environment_id', 'number']).execute()))
      }
      const rest = { is_marked: 0, outcome: 2, is_flaky: 0, attempts: 1, failed_attempts: 1, duration_ms: null }
      const results = places.map(({ id, ...one }) => ({ ...one, ...rest, failure_id: id }))
      await insertResultRows(db, { workspaceId: 1, applicationId, runId, reportId }, results, false)
      return reportId
    }
    const kept = await add(2_500)
    const gone = await add(3_500)
    const statements = await countRows(db, (counted) => deleteReport(counted, runId, gone))
    assert.ok(Math.max(...statements) <= 1000, statements.join())
    const reportsOf = async (table: 'test_results' | 'test_failures') => {
      const rows = await db.selectFrom(table).select('report_id').execute()
      return [rows.length, [...new Set(rows.map(({ report_id }) => report_id))]]
    }
    assert.deepEqual(await reportsOf('test_results'), [2_500, [kept]])
    assert.deepEqual(await reportsOf('test_failures'), [2_500, [kept]])
    const reports = await db.selectFrom('test_reports').select('id').execute()
    assert.deepEqual(
      reports.map(({ id }) => id),
      [kept],
    )
  })
})
