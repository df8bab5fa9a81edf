import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'

export type HookRow = Row<'hooks'>

export async function listHookRows(db: Db, workspaceId: number): Promise<HookRow[]> {
  return db.selectFrom('hooks').selectAll().where('workspace_id', '=', workspaceId).orderBy('id', 'desc').execute()
}

export async function findHookRow(db: Db, workspaceId: number, id: number): Promise<HookRow | undefined> {
  return db
    .selectFrom('hooks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Counts the waiting deliveries of hooks. The state has to be a literal, so that the index of the queue is used. */
export async function countWaiting(db: Db, hookIds: number[]): Promise<Map<number, number>> {
  if (hookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('hook_deliveries')
    .select(['hook_id', countAll])
    .where('hook_id', 'in', hookIds)
    .where(sql<boolean>`state = 'waiting'`)
    .groupBy('hook_id')
    .execute()
  return new Map(rows.map(({ hook_id, count }) => [hook_id, count]))
}

/** Locks a workspace until the transaction ends, so that two requests cannot both make its last hook. */
export async function lockHooks(trx: Db, workspaceId: number): Promise<number> {
  await trx
    .updateTable('workspaces')
    .set((update) => ({ name: update.ref('name') }))
    .where('id', '=', workspaceId)
    .execute()
  const { count } = await trx
    .selectFrom('hooks')
    .select(countAll)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertHook(trx: Db, values: Insertable<Schema['hooks']>): Promise<HookRow> {
  return trx.insertInto('hooks').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Returns the row after the change, or undefined when there is none. */
export async function updateHookRow(
  trx: Db,
  workspaceId: number,
  id: number,
  values: Updateable<Schema['hooks']>,
): Promise<HookRow | undefined> {
  return trx
    .updateTable('hooks')
    .set({ id, ...values })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Returns whether there was such a hook. Its deliveries are deleted by cascade. */
export async function deleteHookRow(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('hooks')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function countApplications(db: Db, workspaceId: number, ids: number[]): Promise<number> {
  const { count } = await db
    .selectFrom('applications')
    .select(countAll)
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return count
}

type Listener = Pick<HookRow, 'id' | 'events' | 'application_ids' | 'is_enabled'>

/** What is needed to know which hooks want an event. */
export async function listListeners(trx: Db, workspaceId: number): Promise<Listener[]> {
  return trx
    .selectFrom('hooks')
    .select(['id', 'events', 'application_ids', 'is_enabled'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
}

export async function findApplicationName(
  trx: Db,
  id: number,
): Promise<Pick<Row<'applications'>, 'alias' | 'name'> | undefined> {
  return trx.selectFrom('applications').select(['alias', 'name']).where('id', '=', id).executeTakeFirst()
}

export async function insertEvent(trx: Db, values: Insertable<Schema['hook_events']>): Promise<number> {
  const { id } = await trx.insertInto('hook_events').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}
