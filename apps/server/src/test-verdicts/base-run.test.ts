import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { CompiledQuery, sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { insertResultRows } from '../test-results/result-row-store.ts'
import { requireRunRow } from '../test-results/run-store.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'
import { recordStatements } from '../testing/record-statements.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { listKnownFailures } from './base-run.ts'

describe('Finding the base of a run', () => {
  let database: OpenTestDatabase
  let db: Db
  let of: { workspace_id: number; application_id: number }

  before(async () => {
    database = await openTestDatabase()
    db = database.db
    const { applicationId } = await fillOneBuild(db)
    const { workspace_id } = requireAt(await db.selectFrom('applications').select('workspace_id').execute(), 0)
    of = { workspace_id, application_id: applicationId }
  })
  after(() => database?.[Symbol.asyncDispose]())

  let runs = 0
  /** Inserts complete runs of a branch, and returns the id of the last one. */
  const addRuns = async (count: number, cases: number, branch = 'main') => {
    const rows = Array.from({ length: count }, () => {
      const at = ++runs
      const times = { created_at: at, updated_at: at, completed_at: at }
      const text = { branch, run_key: `k${at}`, commit_hash: `c${at}`, shards_received: toJsonText<number[]>([]) }
      return { ...of, ...times, ...text, cases, attempt: 1, state: 'complete' as const, report_count: 1 }
    })
    let last = 0
    for (let start = 0; start < count; start += 500) {
      const inserted = await db
        .insertInto('test_runs')
        .values(rows.slice(start, start + 500))
        .returning('id')
        .execute()
      last = Math.max(last, ...inserted.map(({ id }) => id))
    }
    return last
  }
  const record = async (runId: number) => {
    const run = { ...(await requireRunRow(db, runId)), base_commit: `c${runs - 3}` }
    let base: number | undefined
    const statements = await recordStatements(db, async (recorded) => {
      base = (await listKnownFailures(recorded, run, [])).base?.runId
    })
    return { base, statements }
  }

  it('takes as many statements after thousands of runs as after a few, and reads the runs by an index', async () => {
    await addRuns(30, 10)
    const few = await record(await addRuns(1, 10, 'topic'))
    await addRuns(3000, 10)
    await addRuns(1500, 10, 'other')
    await addRuns(5, 10)
    const topic = await addRuns(1, 10, 'topic')
    await sql`analyze`.execute(db)
    const many = await record(topic)
    assert.equal(many.base, topic - 3)
    assert.equal(many.statements.length, few.statements.length)
    const ofRuns = many.statements.filter(({ sql: text }) => /from "test_runs"/.test(text))
    assert.equal(ofRuns.length, 2)
    for (const { sql: text, parameters } of ofRuns) {
      const explained = `explain ${isPostgres(db) ? '' : 'query plan '}${text}`
      const { rows } = await db.executeQuery<object>(CompiledQuery.raw(explained, [...parameters]))
      const plan = rows.flatMap((row) => Object.values(row)).join('\n')
      const isOfCommit = text.includes('"commit_hash" =')
      assert.match(plan, isOfCommit ? /test_runs_by_application_id_commit_hash/ : /test_runs_completed_by_branch/)
      // The branch has thousands of runs, and its index has them in their order; a commit has few.
      if (!isOfCommit) assert.doesNotMatch(plan, /TEMP B-TREE|Sort/)
    }
  })

  it('counts two thousand results in a statement, and reads no run that is out of proportion', async () => {
    const application = of.application_id
    const ids = Array.from({ length: 4500 }, (_, index) => index + 1)
    for (let start = 0; start < ids.length; start += 500) {
      const some = ids.slice(start, start + 500).map((id) => {
        return { id, ...of, identity: String(id).padStart(32, '0'), name: `n${id}`, suite: 'unit', created_at: 1 }
      })
      await db.insertInto('tests').values(some).execute()
    }
    const fill = async (runId: number, some: number[]) => {
      const place = { environment_id: 0, number: 1, is_marked: 0, duration_ms: 1, failure_id: null }
      const rest = { ...place, outcome: 1, is_flaky: 0, attempts: 1, failed_attempts: 0 }
      const results = some.map((test_id) => ({ ...rest, test_id }))
      const owner = { workspaceId: of.workspace_id, applicationId: application, runId, reportId: 1 }
      await insertResultRows(db, owner, results, true)
    }
    const whole = await addRuns(1, 4500, 'main')
    await fill(whole, ids)
    const stump = await addRuns(1, 10, 'main')
    await fill(stump, ids.slice(0, 10))
    const judged = await addRuns(1, 4500, 'topic')
    await fill(judged, ids)
    const run = await requireRunRow(db, judged)
    let base: number | undefined
    const statements = await recordStatements(db, async (recorded) => {
      base = (await listKnownFailures(recorded, run, [])).base?.runId
    })
    assert.equal(base, whole)
    const counting = statements.filter(({ sql: text }) => text.includes('group by "test"."suite"'))
    // Three for the whole run, one for the stump; those of the judged run only if it is asked for its suites.
    assert.ok(counting.length >= 4 && counting.length <= 7, `${counting.length} statements`)
    await db.updateTable('test_runs').set({ cases: 1_000_000 }).where('id', '=', whole).execute()
    const large = await recordStatements(db, async (recorded) => {
      base = (await listKnownFailures(recorded, run, [])).base?.runId
    })
    assert.equal(base, whole)
    assert.ok(large.length < statements.length)
  })
})
