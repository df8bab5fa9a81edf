import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** Records that the first workspace is being created. Returns false if that was recorded before. */
export async function insertFirstWorkspaceMark(trx: Db): Promise<boolean> {
  // When several replicas start at once, only one of them inserts the row.
  const inserted = await trx
    .insertInto('settings')
    .values({ key: 'initial-workspace', value: 'made' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

const prefix = 'set-up-code:'

/** Lists the set-up codes: the key holds the digest, the value the creation time in epoch milliseconds. */
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
