import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { CompiledQuery } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'
import { recordStatements } from '../testing/record-statements.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { listRunsOfBuild } from './build-run-store.ts'

describe('the runs of a build', () => {
  let database: OpenTestDatabase
  let db: Db
  let build: { id: number; application_id: number; source_commit: string }
  const insertRun = async (run_key: string, of: { build_id?: number; commit_hash?: string; report_count?: number }) => {
    const { workspace_id } = requireAt(await db.selectFrom('applications').select('workspace_id').execute(), 0)
    const run = {
      workspace_id,
      application_id: build.application_id,
      run_key,
      attempt: 1,
      state: 'complete' as const,
      shards_received: toJsonText<number[]>([]),
      report_count: 1,
      created_at: 1,
      updated_at: 1,
      ...of,
    }
    return (await db.insertInto('test_runs').values(run).returning('id').executeTakeFirstOrThrow()).id
  }

  before(async () => {
    database = await openTestDatabase()
    db = database.db
    const { applicationId } = await fillOneBuild(db)
    const { id } = requireAt(await db.selectFrom('builds').select('id').execute(), 0)
    build = { id, application_id: applicationId, source_commit: 'c'.repeat(40) }
  })
  after(() => database?.[Symbol.asyncDispose]())

  it('are those that name it, and those of its commit that name no build, in the order of their ids', async () => {
    const commit_hash = build.source_commit
    const ofCommit = await insertRun('of its commit', { commit_hash })
    const naming = await insertRun('names it', { build_id: build.id, commit_hash: 'd'.repeat(40) })
    await insertRun('without a report', { build_id: build.id, report_count: 0 })
    await insertRun('of another commit', { commit_hash: 'e'.repeat(40) })
    const ids = async (of: typeof build | (Omit<typeof build, 'source_commit'> & { source_commit: null })) =>
      (await listRunsOfBuild(db, of)).map((run) => run.id)
    assert.deepEqual(await ids(build), [ofCommit, naming])
    assert.deepEqual(await ids({ ...build, source_commit: null }), [naming])
  })

  it('are looked up in indexes, whatever the number of runs of the application', async () => {
    const statements = await recordStatements(db, (recorded) => listRunsOfBuild(recorded, build))
    assert.equal(statements.length, 2)
    if (isPostgres(db)) return
    for (const { sql, parameters } of statements) {
      const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      const { rows } = await db.executeQuery<{ detail: string }>(explained)
      const plan = rows.map(({ detail }) => detail).join()
      assert.match(plan, /INDEX test_runs_by_(build_id|application_id_commit_hash) /)
    }
  })
})
