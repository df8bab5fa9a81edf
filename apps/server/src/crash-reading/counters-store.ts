import type { Insertable, Updateable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'

/** Finds which of these crashes are stored, as `source id`. */
export async function listKnownCrashes(db: Db, applicationId: number, sourceIds: string[]): Promise<Set<string>> {
  const rows = await selectInBatches(sourceIds, (batch) =>
    db
      .selectFrom('crashes')
      .select(['source', 'source_id'])
      .where('application_id', '=', applicationId)
      .where('source', 'in', ['sentry', 'appcenter', 'acra', 'android', 'apple', 'metrickit'])
      .where('source_id', 'in', batch)
      .execute(),
  )
  return new Set(rows.map((row) => `${row.source} ${row.source_id}`))
}

export async function insertCrash(trx: Db, values: Insertable<Schema['crashes']>): Promise<number> {
  const { id } = await trx.insertInto('crashes').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertReport(trx: Db, values: Insertable<Schema['crash_reports']>): Promise<void> {
  await trx.insertInto('crash_reports').values(values).execute()
}

/** Keeps the newest reports of a group besides the first one of each stack. */
export async function deleteOldReports(trx: Db, groupId: number, kept: number): Promise<void> {
  const oldest = await trx
    .selectFrom('crash_reports')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_reports.stack_id')
    .select('crash_reports.crash_id')
    .where('crash_stacks.group_id', '=', groupId)
    .where('crash_reports.is_first', '=', 0)
    .orderBy('crash_reports.crash_id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await trx
    .deleteFrom('crash_reports')
    .where('is_first', '=', 0)
    .where('crash_id', '<=', oldest.crash_id)
    .where('stack_id', 'in', (select) => select.selectFrom('crash_stacks').select('id').where('group_id', '=', groupId))
    .execute()
}

export async function addDay(trx: Db, values: Insertable<Schema['crash_days']>): Promise<void> {
  await trx
    .insertInto('crash_days')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['stack_id', 'release_id', 'day'])
        .doUpdateSet((update) => ({ count: update('crash_days.count', '+', update.ref('excluded.count')) })),
    )
    .execute()
}

export async function addValue(trx: Db, values: Insertable<Schema['crash_values']>): Promise<void> {
  await trx
    .insertInto('crash_values')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['stack_id', 'kind', 'value'])
        .doUpdateSet((update) => ({ count: update('crash_values.count', '+', update.ref('excluded.count')) })),
    )
    .execute()
}

export async function countTagValues(trx: Db, stackId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('crash_values')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'tag')
    .executeTakeFirstOrThrow()
  return count
}

/** Adds to a value that is counted already. Returns false where it is not. */
export async function raiseValue(trx: Db, { count, ...key }: Insertable<Schema['crash_values']>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('crash_values')
    .set((update) => ({ count: update('count', '+', count) }))
    .where('stack_id', '=', key.stack_id)
    .where('kind', '=', key.kind)
    .where('value', '=', key.value)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findSessionSketches(
  trx: Db,
  key: Pick<Row<'session_days'>, 'application_id' | 'release_id' | 'day'>,
): Promise<Pick<Row<'session_days'>, 'started_sketch' | 'crashed_sketch'> | undefined> {
  return trx
    .selectFrom('session_days')
    .select(['started_sketch', 'crashed_sketch'])
    .where('application_id', '=', key.application_id)
    .where('release_id', '=', key.release_id)
    .where('day', '=', key.day)
    .executeTakeFirst()
}

export async function saveSessionSketches(
  trx: Db,
  key: Pick<Row<'session_days'>, 'application_id' | 'release_id' | 'day'>,
  sketches: Updateable<Schema['session_days']>,
): Promise<void> {
  await trx
    .updateTable('session_days')
    .set(sketches)
    .where('application_id', '=', key.application_id)
    .where('release_id', '=', key.release_id)
    .where('day', '=', key.day)
    .execute()
}

export async function findSketch(trx: Db, stackId: number, releaseId: number): Promise<Uint8Array | null> {
  const row = await trx
    .selectFrom('crash_sketches')
    .select('sketch')
    .where('stack_id', '=', stackId)
    .where('release_id', '=', releaseId)
    .executeTakeFirst()
  return row?.sketch ?? null
}

export async function saveSketch(trx: Db, values: Insertable<Schema['crash_sketches']>): Promise<void> {
  await trx
    .insertInto('crash_sketches')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['stack_id', 'release_id']).doUpdateSet({ sketch: (update) => update.ref('excluded.sketch') }),
    )
    .execute()
}

export async function updateStackTotals(
  trx: Db,
  id: number,
  count: number,
  values: Updateable<Schema['crash_stacks']>,
): Promise<void> {
  await trx
    .updateTable('crash_stacks')
    .set((update) => ({ ...values, crash_count: update('crash_count', '+', count) }))
    .where('id', '=', id)
    .execute()
}

export async function addSessions(trx: Db, values: Insertable<Schema['session_days']>): Promise<void> {
  await trx
    .insertInto('session_days')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'release_id', 'day']).doUpdateSet((update) => ({
        started_count: update('session_days.started_count', '+', update.ref('excluded.started_count')),
        crashed_count: update('session_days.crashed_count', '+', update.ref('excluded.crashed_count')),
      })),
    )
    .execute()
}

/** Adds sessions to those of all releases of an environment. */
export async function addSessionTotals(trx: Db, values: Insertable<Schema['session_totals']>): Promise<void> {
  await trx
    .insertInto('session_totals')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'environment', 'day']).doUpdateSet((update) => ({
        started_count: update('session_totals.started_count', '+', update.ref('excluded.started_count')),
        crashed_count: update('session_totals.crashed_count', '+', update.ref('excluded.crashed_count')),
      })),
    )
    .execute()
}

export async function findSessionMark(
  trx: Db,
  applicationId: number,
  session: string,
): Promise<Row<'session_marks'> | undefined> {
  return trx
    .selectFrom('session_marks')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('session', '=', session)
    .executeTakeFirst()
}

export async function saveSessionMark(trx: Db, values: Insertable<Schema['session_marks']>): Promise<void> {
  await trx
    .insertInto('session_marks')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'session']).doUpdateSet((update) => ({
        is_started: update.ref('excluded.is_started'),
        is_crashed: update.ref('excluded.is_crashed'),
      })),
    )
    .execute()
}
