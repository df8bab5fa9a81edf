import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
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

function selectEvents(db: Db, workspaceId: number, action: string | undefined) {
  let query = db.selectFrom('audit_events').where('workspace_id', '=', workspaceId)
  if (action !== undefined) {
    query = query.where((where) =>
      where.or([
        where('action', '=', action),
        sql<boolean>`substr(action, 1, ${sql.lit(action.length + 1)}) = ${`${action}.`}`,
      ]),
    )
  }
  return query
}

/** Returns one slice of the events of a workspace, newest first. */
export async function listAuditRows(
  db: Db,
  workspaceId: number,
  { action, below, limit }: { action: string | undefined; below: number | undefined; limit: number },
): Promise<AuditRow[]> {
  let query = selectEvents(db, workspaceId, action).selectAll().orderBy('id', 'desc').limit(limit)
  if (below !== undefined) query = query.where('id', '<', below)
  return query.execute()
}

export async function countAuditEvents(db: Db, workspaceId: number, action: string | undefined): Promise<number> {
  const { count } = await selectEvents(db, workspaceId, action)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
