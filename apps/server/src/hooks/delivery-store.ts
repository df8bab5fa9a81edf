import type { HookDeliveryState, ListHookDeliveries } from '@fairlead/contract'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'

/** A delivery with what lists show of its event. */
export interface DeliveryRecord extends Row<'hook_deliveries'> {
  type: Row<'hook_events'>['type']
  webhook_id: string
}

/** The deliveries that wait. A literal, so that the index of the queue is used. */
const isWaiting = sql<boolean>`hook_deliveries.state = 'waiting'`

function selectDeliveries(db: Db, workspaceId: number) {
  return db
    .selectFrom('hook_deliveries')
    .innerJoin('hook_events', 'hook_events.id', 'hook_deliveries.event_id')
    .selectAll('hook_deliveries')
    .select(['hook_events.type', 'hook_events.webhook_id'])
    .where('hook_deliveries.workspace_id', '=', workspaceId)
}

export async function listDeliveryRecords(
  db: Db,
  workspaceId: number,
  hookId: number,
  { state, type, limit, cursor }: ListHookDeliveries,
): Promise<Paged<DeliveryRecord>> {
  const select = (of: ReturnType<typeof selectDeliveries>) =>
    of
      .where('hook_deliveries.hook_id', '=', hookId)
      .$call(whereGiven(state, (query, state) => query.where('hook_deliveries.state', '=', state)))
      .$call(whereGiven(type, (query, type) => query.where('hook_events.type', '=', type)))
  const rows = await select(selectDeliveries(db, workspaceId))
    .$call(whereGiven(cursor, (query, id) => query.where('hook_deliveries.id', '<', id)))
    .orderBy('hook_deliveries.id', 'desc')
    .limit((limit ?? maxUnpaged) + 1)
    .execute()
  const count = select(selectDeliveries(db, workspaceId)).clearSelect().select(countAll)
  return cutRows({ rows, limit, toCursor: ({ id }) => String(id), count })
}

export async function findDeliveryRecord(db: Db, workspaceId: number, id: number): Promise<DeliveryRecord | undefined> {
  return selectDeliveries(db, workspaceId).where('hook_deliveries.id', '=', id).executeTakeFirst()
}

export async function listAttempts(db: Db, deliveryId: number): Promise<Row<'hook_attempts'>[]> {
  return db
    .selectFrom('hook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('id')
    .limit(1000)
    .execute()
}

export async function findEventRow(db: Db, id: number): Promise<Row<'hook_events'>> {
  return db.selectFrom('hook_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function insertDeliveries(trx: Db, rows: Insertable<Schema['hook_deliveries']>[]): Promise<number[]> {
  if (rows.length === 0) return []
  const inserted = await trx.insertInto('hook_deliveries').values(rows).returning('id').execute()
  return inserted.map(({ id }) => id)
}

/** Ends the waiting deliveries of a hook that is off. Attempts that are being made keep their claim. */
export async function stopDeliveries(trx: Db, hookId: number, now: number): Promise<void> {
  await trx
    .updateTable('hook_deliveries')
    .set({ state: 'stopped', next_attempt_at: null, finished_at: now })
    .where('hook_id', '=', hookId)
    .where(isWaiting)
    .execute()
}

/** An event since a time that a hook has not delivered, with its last delivery, if it has one. */
export interface Undelivered {
  id: number
  hook_id: number | null
  type: Row<'hook_events'>['type']
  application_id: number | null
  body: string | null
  waiting_id: number | null
  last_id: number | null
}

export async function listUndelivered(
  db: Db,
  hook: Pick<Row<'hooks'>, 'id' | 'workspace_id'>,
  { since, above, limit }: { since: number; above: number; limit: number },
): Promise<Undelivered[]> {
  const ofHook = (state: HookDeliveryState | null) => {
    const ofState = state === null ? sql`` : sql`and d.state = ${sql.lit(state)}`
    return sql`select max(d.id) from hook_deliveries d
      where d.event_id = hook_events.id and d.hook_id = ${hook.id} ${ofState}`
  }
  return db
    .selectFrom('hook_events')
    .select(['id', 'hook_id', 'type', 'application_id'])
    .select([
      sql<number | null>`(${ofHook('waiting')})`.as('waiting_id'),
      sql<number | null>`(${ofHook(null)})`.as('last_id'),
      sql<string | null>`(select d.body from hook_deliveries d where d.id = (${ofHook(null)}))`.as('body'),
    ])
    .where('workspace_id', '=', hook.workspace_id)
    .where('created_at', '>=', since)
    .where('id', '>', above)
    .where((where) => where.or([where('hook_id', 'is', null), where('hook_id', '=', hook.id)]))
    .where(sql<boolean>`(${ofHook('succeeded')}) is null`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Makes waiting deliveries due now. */
export async function hurryDeliveries(trx: Db, ids: number[], now: number): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('hook_deliveries')
    .set({ next_attempt_at: now })
    .where('id', 'in', ids)
    .where(isWaiting)
    .execute()
}

/** Deletes some deliveries and events from before a time. Returns how many there were. */
export async function deleteSomeOldDeliveries(db: Db, before: number, limit: number): Promise<number> {
  const old = db.selectFrom('hook_deliveries').select('id').where('created_at', '<', before).limit(limit)
  const deliveries = await db.deleteFrom('hook_deliveries').where('id', 'in', old).executeTakeFirst()
  const unused = db
    .selectFrom('hook_events')
    .select('id')
    .where('created_at', '<', before)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('hook_deliveries')
            .select('hook_deliveries.id')
            .whereRef('hook_deliveries.event_id', '=', 'hook_events.id'),
        ),
      ),
    )
    .limit(limit)
  const events = await db.deleteFrom('hook_events').where('id', 'in', unused).executeTakeFirst()
  return Number(deliveries.numDeletedRows) + Number(events.numDeletedRows)
}
