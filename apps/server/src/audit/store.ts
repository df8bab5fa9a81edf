import { type Insertable, sql } from 'kysely'
import { bytewise } from '../db/bytewise.ts'
import type { Db } from '../db/open.ts'
import { toPrefixEnd } from '../db/prefix-end.ts'
import type { Row, Schema } from '../db/schema.ts'

export type AuditRow = Row<'audit_events'>

export async function insertAuditEvents(db: Db, values: Insertable<Schema['audit_events']>[]): Promise<void> {
  if (values.length > 0) await db.insertInto('audit_events').values(values).execute()
}

export async function listWorkspacesOf(db: Db, accountId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('members')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .orderBy('workspace_id')
    .limit(limit)
    .execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Up to this many events of an action are found by reading them all, instead of looking through newer events. */
const rareLimit = 1000

/** Selects the events of an action, and those of a group of actions such as `build`, by the index on actions. */
function selectByAction(db: Db, workspaceId: number, action: string) {
  const query = db.selectFrom('audit_events').where('workspace_id', '=', workspaceId)
  const name = bytewise(db, 'action')
  const group = `${action}.`
  return [query.where(name, '=', action), query.where(name, '>=', group).where(name, '<', toPrefixEnd(group) ?? '')]
}

/** Returns one slice of the events of a workspace, newest first. */
export async function listAuditRows(
  db: Db,
  workspaceId: number,
  { action, below, limit }: { action: string | undefined; below: number | undefined; limit: number },
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(limit)
  if (below !== undefined) query = query.where('id', '<', below)
  if (action === undefined) return query.where('workspace_id', '=', workspaceId).execute()
  const found: number[] = []
  for (const selected of selectByAction(db, workspaceId, action)) {
    found.push(...(await selected.select('id').limit(rareLimit).execute()).map(({ id }) => id))
  }
  if (found.length === 0) return []
  if (found.length < rareLimit) return query.where('id', 'in', found).execute()
  // The newest events hold enough of a frequent action.
  const start = sql<string>`substr(action, 1, ${sql.lit(action.length + 1)})`
  return query
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where(sql<string>`action || ''`, '=', action), where(start, '=', `${action}.`)]))
    .execute()
}

export async function countAuditEvents(db: Db, workspaceId: number, action: string | undefined): Promise<number> {
  const all = db.selectFrom('audit_events').where('workspace_id', '=', workspaceId)
  let total = 0
  for (const selected of action === undefined ? [all] : selectByAction(db, workspaceId, action)) {
    const { count } = await selected
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += count
  }
  return total
}
