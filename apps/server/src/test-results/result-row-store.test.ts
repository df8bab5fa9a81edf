import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isForeignKeyViolation } from '../db/foreign-key.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { insertResultRows, type NewResult } from './result-row-store.ts'
import { lockRunOfKey } from './run-store.ts'

describe('The rows of results', () => {
  const now = 1_764_000_000_123
  let database: OpenTestDatabase
  let db: Db
  let applicationId: number

  before(async () => {
    database = await openTestDatabase()
    db = database.db
    const workspace = { id: 1, name: 'Acme', link_lifetime_ms: 1, created_at: now }
    await db.insertInto('workspaces').values(workspace).execute()
    applicationId = await createApplication('shop')
  })
  after(() => database?.[Symbol.asyncDispose]())

  async function createApplication(alias: string): Promise<number> {
    const values = { workspace_id: 1, alias, name: alias, platform: 'android', created_at: now } as const
    return (await db.insertInto('applications').values(values).returning('id').executeTakeFirstOrThrow()).id
  }

  async function createOwner(key: string, application = applicationId) {
    const run = await lockRunOfKey(db, {
      workspace_id: 1,
      application_id: application,
      run_key: key,
      branch: null,
      commit_hash: null,
      base_commit: null,
      ci_url: null,
      build_id: null,
      attempt: 1,
      state: 'open',
      shards_expected: null,
      shards_received: toJsonText<number[]>([]),
      base_run_id: null,
      verdict: null,
      created_at: now,
      updated_at: now,
      completed_at: null,
    })
    return { workspaceId: 1, applicationId: application, runId: run.id, reportId: 7 }
  }

  const toResult = (test: number): NewResult => ({
    test_id: test,
    environment_id: test % 2,
    number: 1 + (test % 3),
    is_marked: 0,
    outcome: 2,
    is_flaky: test % 2,
    attempts: 3,
    failed_attempts: 2,
    duration_ms: test % 2 === 0 ? null : test / 7,
    failure_id: test % 3 === 0 ? null : 2 ** 52 + test,
  })
  const results = Array.from({ length: 2_345 }, (_, index) => toResult(index + 1))
  const listRows = (runId: number) =>
    db.selectFrom('test_results').selectAll().where('run_id', '=', runId).orderBy('test_id').execute()
  const deleteRun = (runId: number) => db.deleteFrom('test_runs').where('id', '=', runId).execute()

  it('hold every value, and a case number only when they are shown', async () => {
    for (const isShown of [true, false]) {
      const owner = await createOwner(`values ${isShown}`)
      await insertResultRows(db, owner, results, isShown)
      await insertResultRows(db, owner, [], isShown)
      const common = { run_id: owner.runId, report_id: 7, retried_by: null, classification: null }
      const expected = results.map((row) => ({ ...row, ...common, case_number: isShown ? row.number : null }))
      assert.deepEqual(
        (await listRows(owner.runId)).map((row) => ({ ...row })),
        expected,
      )
    }
  })

  it('are refused, all of a statement, when their run does not exist', async () => {
    const owner = { ...(await createOwner('gone')), runId: 987_654 }
    await assert.rejects(insertResultRows(db, owner, results, true), isForeignKeyViolation)
    assert.deepEqual(await listRows(owner.runId), [])
  })

  it('stay with their run', async () => {
    const owner = await createOwner('kept')
    await insertResultRows(db, owner, results.slice(0, 2), true)
    const move = db.updateTable('test_results').set({ run_id: 987_654 }).where('run_id', '=', owner.runId)
    await assert.rejects(move.execute(), isForeignKeyViolation)
    const rename = db.updateTable('test_runs').set({ id: 987_654 }).where('id', '=', owner.runId)
    await assert.rejects(rename.execute(), isForeignKeyViolation)
    assert.equal((await listRows(owner.runId)).length, 2)
  })

  it('go with their run and with its application, and no others do', async () => {
    const other = await createApplication('other')
    const [first, second, kept] = [await createOwner('1', other), await createOwner('2', other), await createOwner('3')]
    for (const owner of [first, second, kept]) await insertResultRows(db, owner, results.slice(0, 3), true)
    await deleteRun(first.runId)
    const counts = async () => {
      const lists = await Promise.all([first, second, kept].map(({ runId }) => listRows(runId)))
      return lists.map(({ length }) => length)
    }
    assert.deepEqual(await counts(), [0, 3, 3])
    await db.deleteFrom('applications').where('id', '=', other).execute()
    assert.deepEqual(await counts(), [0, 0, 3])
  })

  it('go with a run that is deleted while a transaction inserts them', async () => {
    const owner = await createOwner('deleted meanwhile')
    const deleted = await db.transaction().execute(async (trx) => {
      await insertResultRows(trx, owner, results, true)
      return { done: deleteRun(owner.runId) }
    })
    await deleted.done
    assert.deepEqual(await listRows(owner.runId), [])
  })

  it('are refused while a transaction deletes their run', async () => {
    const owner = await createOwner('deleted before')
    const inserted = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('test_runs').where('id', '=', owner.runId).execute()
      return { done: assert.rejects(insertResultRows(db, owner, results, true), isForeignKeyViolation) }
    })
    await inserted.done
    assert.deepEqual(await listRows(owner.runId), [])
  })
})
