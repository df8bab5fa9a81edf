import { ApiError, type ListTestRuns } from '@fairlead/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Schema } from '../db/schema.ts'
import { type TestRunRow, Unfinished } from './run.ts'

/** A run that has reports. The indexes of shown runs are used only if this condition has no parameter. */
const isShown = sql<boolean>`report_count > 0`
/** So is the index of completed runs. */
const isComplete = sql<boolean>`state = 'complete'`

/** @throws {ApiError} testRunNotFound */
export async function requireRunOfWorkspace(db: Db, workspaceId: number, id: number): Promise<TestRunRow> {
  const run = await db
    .selectFrom('test_runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('report_count', '>', 0)
    .executeTakeFirst()
  if (!run) throw new ApiError('testRunNotFound')
  return run
}

/** Reads a run that the caller has already checked. */
export async function requireRunRow(db: Db, id: number): Promise<TestRunRow> {
  return db.selectFrom('test_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function findRunRow(db: Db, id: number): Promise<TestRunRow | undefined> {
  return db.selectFrom('test_runs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the run of a key, or creates one, and locks it until the end of the transaction. */
export async function lockRunOfKey(trx: Db, values: Insertable<Schema['test_runs']>): Promise<TestRunRow> {
  const { run_key: key = null } = values
  if (key !== null) {
    const run = await trx
      .updateTable('test_runs')
      .set({ updated_at: values.updated_at })
      .where('application_id', '=', values.application_id)
      .where('run_key', '=', key)
      .returningAll()
      .executeTakeFirst()
    if (run) return run
  }
  return trx
    .insertInto('test_runs')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'run_key']).doUpdateSet({ updated_at: values.updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks a run until the end of the transaction, by a write that changes nothing. */
export async function lockRun(trx: Db, id: number): Promise<TestRunRow> {
  return trx
    .updateTable('test_runs')
    .set((update) => ({ updated_at: update.ref('updated_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateRun(trx: Db, id: number, values: Updateable<Schema['test_runs']>): Promise<void> {
  await trx.updateTable('test_runs').set(values).where('id', '=', id).execute()
}

/** Records that the tests of a judged run are up to date, unless another report has joined it meanwhile. */
export async function markFinished(db: Db, { id, updated_at }: TestRunRow): Promise<void> {
  await db
    .updateTable('test_runs')
    .set({ unfinished: Unfinished.nothing })
    .where('id', '=', id)
    .where('unfinished', '=', Unfinished.tests)
    .where('updated_at', '=', updated_at)
    .execute()
}

export async function deleteRunWithoutReports(db: Db, id: number): Promise<void> {
  await db.deleteFrom('test_runs').where('id', '=', id).where('report_count', '=', 0).execute()
}

export async function listRunRows(db: Db, applicationId: number, query: ListTestRuns): Promise<Paged<TestRunRow>> {
  const { branch, commit, key, cursor, limit } = query
  let matching = db.selectFrom('test_runs').where('application_id', '=', applicationId).where(isShown)
  if (branch !== undefined) matching = matching.where('branch', '=', branch)
  if (commit !== undefined) matching = matching.where('commit_hash', '=', commit)
  if (key !== undefined) matching = matching.where('run_key', '=', key)
  let rows = matching.selectAll().orderBy('id', 'desc')
  if (cursor !== undefined) rows = rows.where('id', '<', cursor)
  return cutRows({
    rows: await rows.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ id }) => String(id),
    count: matching.select(countAll),
  })
}

/** Completed runs of an application, last completed first. */
export async function listCompleteRuns(
  db: Db,
  applicationId: number,
  where: { branch?: string; commit?: string; buildId?: number; before?: number },
  limit: number,
): Promise<TestRunRow[]> {
  let query = db
    .selectFrom('test_runs')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where(isComplete)
    .where(isShown)
  if (where.branch !== undefined) query = query.where('branch', '=', where.branch)
  if (where.commit !== undefined) query = query.where('commit_hash', '=', where.commit)
  if (where.buildId !== undefined) query = query.where('build_id', '=', where.buildId)
  if (where.before !== undefined) query = query.where('id', '<', where.before)
  return query.orderBy('completed_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Finds the judged run of the same branch before a run. */
export async function findRunBefore(db: Db, run: TestRunRow): Promise<TestRunRow | undefined> {
  if (run.branch === null) return undefined
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('application_id', '=', run.application_id)
    .where('branch', '=', run.branch)
    .where('state', '=', 'complete')
    .where('verdict', 'is not', null)
    .where(isShown)
    .where('id', '<', run.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function readDefaultBranch(db: Db, applicationId: number): Promise<string> {
  const row = await db
    .selectFrom('applications')
    .select('default_branch')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return row.default_branch
}
