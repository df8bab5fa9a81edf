import type { Page } from '@fairlead/contract'
import type { Insertable, Updateable } from 'kysely'
import { insertInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'

export type RunRow = Row<'retention_runs'>
type Line = Insertable<Schema['retention_lines']>

export async function insertRun(trx: Db, values: Insertable<Schema['retention_runs']>): Promise<RunRow> {
  return trx.insertInto('retention_runs').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function findRun(db: Db, id: number): Promise<RunRow | undefined> {
  return db.selectFrom('retention_runs').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findRunOfWorkspace(db: Db, workspaceId: number, id: number): Promise<RunRow | undefined> {
  return db
    .selectFrom('retention_runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the runs of an application, newest first. */
export async function listRunRows(db: Db, applicationId: number): Promise<RunRow[]> {
  return db
    .selectFrom('retention_runs')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .limit(1000)
    .execute()
}

export async function listRunningIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('retention_runs').select('id').where('state', '=', 'running').execute()
  return rows.map(({ id }) => id)
}

/** Adds candidates; those that an earlier attempt added stay as they are. */
export async function insertLines(db: Db, lines: Line[]): Promise<void> {
  await insertInBatches(lines, (batch) =>
    db
      .insertInto('retention_lines')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

export async function countLines(db: Db, runId: number): Promise<number> {
  const { count } = await db
    .selectFrom('retention_lines')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return count
}

/** Lists the next lines of a run that were not worked off, the lowest ids first. */
export async function listNextLines(
  trx: Db,
  runId: number,
  position: number,
  limit: number,
): Promise<Row<'retention_lines'>[]> {
  return trx
    .selectFrom('retention_lines')
    .selectAll()
    .where('run_id', '=', runId)
    .where('build_id', '>', position)
    .orderBy('build_id')
    .limit(limit)
    .execute()
}

/** Lists what a run looked at, the newest build first. */
export async function listLines(
  db: Db,
  runId: number,
  { limit, cursor }: Page,
): Promise<Paged<Row<'retention_lines'>>> {
  const select = () => db.selectFrom('retention_lines').where('run_id', '=', runId)
  const rows = await select()
    .selectAll()
    .$call(whereGiven(cursor, (query, id) => query.where('build_id', '<', id)))
    .orderBy('build_id', 'desc')
    .limit((limit ?? maxUnpaged) + 1)
    .execute()
  const count = select().select(countAll)
  return cutRows({ rows, limit, toCursor: ({ build_id: id }) => String(id), count })
}

export async function updateLines(
  trx: Db,
  runId: number,
  buildIds: number[],
  state: Row<'retention_lines'>['state'],
): Promise<void> {
  if (buildIds.length === 0) return
  await trx
    .updateTable('retention_lines')
    .set({ state })
    .where('run_id', '=', runId)
    .where('build_id', 'in', buildIds)
    .execute()
}

/** Locks a run until the transaction ends. Returns undefined for one that is in none of the states. */
export async function lockRun(trx: Db, id: number, states: RunRow['state'][]): Promise<RunRow | undefined> {
  // Updating the row locks it on both databases.
  return trx
    .updateTable('retention_runs')
    .set((update) => ({ state: update.ref('state') }))
    .where('id', '=', id)
    .where('state', 'in', states)
    .returningAll()
    .executeTakeFirst()
}

export async function updateRun(trx: Db, id: number, values: Updateable<Schema['retention_runs']>): Promise<void> {
  await trx.updateTable('retention_runs').set(values).where('id', '=', id).execute()
}

export async function addRestored(trx: Db, id: number, count: number): Promise<void> {
  await trx
    .updateTable('retention_runs')
    .set((update) => ({ restored_count: update('restored_count', '+', count) }))
    .where('id', '=', id)
    .execute()
}

/** Lists some builds that a run has moved to the trash and that are still there. */
export async function listTrashedIds(trx: Db, runId: number, limit: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('builds')
    .select('id')
    .where('retention_run_id', '=', runId)
    .where('trashed_at', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Sums up the runs of each application that ended in a time, for a digest. */
export async function sumRunsSince(db: Db, workspaceId: number, since: number) {
  return db
    .selectFrom('retention_runs')
    .innerJoin('applications', 'applications.id', 'retention_runs.application_id')
    .select((select) => [
      'applications.id',
      'applications.name',
      select.fn.sum<number | string>('retention_runs.trashed_count').as('count'),
      select.fn.sum<number | string>('retention_runs.trashed_bytes').as('bytes'),
    ])
    .where('retention_runs.workspace_id', '=', workspaceId)
    .where('retention_runs.finished_at', '>', since)
    .where('retention_runs.state', '=', 'done')
    .where('retention_runs.trashed_count', '>', 0)
    .groupBy(['applications.id', 'applications.name'])
    .orderBy('applications.id')
    .execute()
}

export async function deleteOldRuns(db: Db, before: number): Promise<void> {
  await db.deleteFrom('retention_runs').where('finished_at', '<', before).execute()
}
