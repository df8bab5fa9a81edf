import type { Role } from '@fairlead/contract'
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'

export async function readWorkspaceRow(db: Db, id: number): Promise<Row<'workspaces'>> {
  return db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function findAnyWorkspace(db: Db): Promise<{ id: number } | undefined> {
  return db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()
}

export async function insertWorkspace(db: Db, values: Insertable<Schema['workspaces']>): Promise<number> {
  const { id } = await db.insertInto('workspaces').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateWorkspaceRow(db: Db, id: number, values: Updateable<Schema['workspaces']>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db.updateTable('workspaces').set(values).where('id', '=', id).execute()
}

/** Lists the roles of an account in its workspaces. */
export async function listRolesOf(db: Db, accountId: number): Promise<Role[]> {
  const rows = await db.selectFrom('members').select('role').where('account_id', '=', accountId).execute()
  return rows.map(({ role }) => role)
}
