/** The deliveries that are due, as a queue that any number of processes take from. */
import type { HookFormat } from '@fairlead/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { type Engine, isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'
import type { HookRow } from './store.ts'

/** A hook with deliveries that wait. */
export interface WaitingHook {
  id: number
  workspace_id: number
  /** When its next attempt is due; null when all its deliveries are being made. */
  due_at: number | null
  /** How many attempts are being made, by all processes. */
  in_flight: number
  format: HookFormat
  /** When its last attempt ended. */
  last_at: number
}

/**
 * Lists the hooks that have waiting deliveries. It jumps through the index from hook to hook, so it takes as long as
 * there are such hooks, however many deliveries wait.
 */
export async function listWaitingHooks(db: Db, now: number, limit: number): Promise<WaitingHook[]> {
  const { rows } = await sql<WaitingHook>`
    with recursive waiting(hook_id) as (
      select min(hook_id) from hook_deliveries where state = 'waiting'
      union all
      select (select min(d.hook_id) from hook_deliveries d where d.state = 'waiting' and d.hook_id > waiting.hook_id)
      from waiting where waiting.hook_id is not null
    )
    select hooks.id, hooks.workspace_id, hooks.format,
      case when coalesce(hooks.last_success_at, 0) > coalesce(hooks.last_failure_at, 0)
        then coalesce(hooks.last_success_at, 0) else coalesce(hooks.last_failure_at, 0) end as last_at,
      (select min(d.next_attempt_at) from hook_deliveries d
        where d.state = 'waiting' and d.hook_id = hooks.id
          and (d.claimed_until is null or d.claimed_until <= ${now})) as due_at,
      (select count(*) from hook_deliveries d where d.hook_id = hooks.id and d.claimed_until > ${now}) as in_flight
    from waiting inner join hooks on hooks.id = waiting.hook_id
    where hooks.is_enabled = 1
    limit ${limit}`.execute(db)
  return rows.map(pace)
}

/** How many milliseconds chats want between two messages. */
const chatPauseMs = 1000

/** Chats take one message a second, and one after the other. */
function pace(hook: WaitingHook): WaitingHook {
  if (hook.format === 'standard' || hook.due_at === null) return hook
  return { ...hook, due_at: Math.max(hook.due_at, hook.last_at + chatPauseMs) }
}

/** Takes due deliveries of a hook, in a single statement, so that no two processes get the same one. */
export async function claimDeliveries(
  db: Db,
  hookId: number,
  { engine, now, until, limit }: { engine: Engine; now: number; until: number; limit: number },
): Promise<Row<'hook_deliveries'>[]> {
  return db
    .updateTable('hook_deliveries')
    .set({ claimed_until: until })
    .where('id', 'in', (select) =>
      select
        .selectFrom('hook_deliveries as d')
        .select('d.id')
        .where('d.hook_id', '=', hookId)
        .where(sql<boolean>`d.state = 'waiting'`)
        .where('d.next_attempt_at', '<=', now)
        .where((where) => where.or([where('d.claimed_until', 'is', null), where('d.claimed_until', '<=', now)]))
        .orderBy('d.next_attempt_at')
        .orderBy('d.id')
        .limit(limit)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute()
}

/** Frees what a dead process had claimed. The embedded database belongs to one process. */
export async function releaseDeliveries(db: Db): Promise<void> {
  await db.updateTable('hook_deliveries').set({ claimed_until: null }).where('claimed_until', 'is not', null).execute()
}

/** Makes claims last longer that still end when their holder thinks. Returns the ids of those. */
export async function extendClaims(
  db: Db,
  ids: number[],
  { until, next }: { until: number; next: number },
): Promise<Set<number>> {
  const extended = await db
    .updateTable('hook_deliveries')
    .set({ claimed_until: next })
    .where('id', 'in', ids)
    .where('claimed_until', '=', until)
    .returning('id')
    .execute()
  return new Set(extended.map(({ id }) => id))
}

/** Ends a claim, if it is still its holder's. */
export async function releaseClaim(
  db: Db,
  { id, claimed_until }: Pick<Row<'hook_deliveries'>, 'id' | 'claimed_until'>,
): Promise<void> {
  await db
    .updateTable('hook_deliveries')
    .set({ claimed_until: null })
    .where('id', '=', id)
    .where('claimed_until', '=', claimed_until)
    .execute()
}

export async function listHooksToDeliver(db: Db, ids: number[]): Promise<Map<number, HookRow>> {
  const rows = await db.selectFrom('hooks').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Locks hooks before their deliveries, as whoever deletes or changes a hook does. Two transactions that lock the same
 * rows in another order could wait for each other, and PostgreSQL would fail one of them (a deadlock). The embedded
 * database runs one transaction at a time.
 */
export async function lockHooksById(trx: Db, ids: number[]): Promise<void> {
  if (!isPostgres(trx)) return
  await trx.selectFrom('hooks').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

export async function storeBody(db: Db, ids: number[], body: string): Promise<void> {
  await db.updateTable('hook_deliveries').set({ body }).where('id', 'in', ids).execute()
}

export async function insertAttempts(trx: Db, rows: Insertable<Schema['hook_attempts']>[]): Promise<void> {
  if (rows.length > 0) await trx.insertInto('hook_attempts').values(rows).execute()
}

/**
 * Records the outcome of an attempt. Returns false when the claim is another's by now, or the hook was deleted; nothing
 * changes then. A delivery that was stopped meanwhile stays so, unless this attempt succeeded.
 */
export async function finishAttempt(
  trx: Db,
  { id, claimed_until }: Pick<Row<'hook_deliveries'>, 'id' | 'claimed_until'>,
  values: Updateable<Schema['hook_deliveries']>,
): Promise<boolean> {
  const { state, next_attempt_at, finished_at, ...others } = values
  const outcome = state === 'succeeded' ? { state, next_attempt_at, finished_at } : {}
  const updated = await trx
    .updateTable('hook_deliveries')
    .set({ ...others, ...outcome, claimed_until: null })
    .where('id', '=', id)
    .where('claimed_until', '=', claimed_until)
    .returning('state')
    .executeTakeFirst()
  if (!updated) return false
  if (state === 'succeeded' || updated.state !== 'waiting') return true
  await trx.updateTable('hook_deliveries').set({ state, next_attempt_at, finished_at }).where('id', '=', id).execute()
  return true
}

export async function updateHookOutcomes(
  trx: Db,
  hookIds: number[],
  values: Pick<Updateable<Schema['hooks']>, 'last_success_at' | 'last_failure_at'>,
): Promise<void> {
  if (hookIds.length > 0) await trx.updateTable('hooks').set(values).where('id', 'in', hookIds).execute()
}

/** Turns a hook off that is on. Returns whether it was on. */
export async function turnOff(
  trx: Db,
  hookId: number,
  { reason, now, quietSince }: { reason: 'gone' | 'failing'; now: number; quietSince: number | null },
): Promise<boolean> {
  const updated = await trx
    .updateTable('hooks')
    .set({ is_enabled: 0, disabled_reason: reason, disabled_at: now })
    .where('id', '=', hookId)
    .where('is_enabled', '=', 1)
    .$call(
      whereGiven(quietSince, (query, since) =>
        query
          .where('enabled_at', '<=', since)
          .where((where) => where.or([where('last_success_at', 'is', null), where('last_success_at', '<=', since)])),
      ),
    )
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}
