import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** Whether this is the first time that anybody makes the first workspace. */
export async function insertFirstWorkspaceMark(trx: Db): Promise<boolean> {
  // The row stands for "somebody has done this": of replicas that start at once, one inserts it.
  const inserted = await trx
    .insertInto('settings')
    .values({ key: 'initial-workspace', value: 'made' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

const prefix = 'set-up-code:'

/** The codes that can be used to set the server up, each as its digest and when it was made. */
export async function listSetUpCodes(db: Db): Promise<Row<'settings'>[]> {
  return db.selectFrom('settings').selectAll().where('key', 'like', `${prefix}%`).execute()
}

export async function insertSetUpCode(db: Db, codeHash: string, createdAt: number): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: prefix + codeHash, value: String(createdAt) })
    .execute()
}

export async function hasSetUpCode(db: Db, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('key')
    .where('key', '=', prefix + codeHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSetting(db: Db, key: string): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', key).execute()
}

export async function deleteSetUpCodes(db: Db): Promise<void> {
  await db.deleteFrom('settings').where('key', 'like', `${prefix}%`).execute()
}
