import type { Db } from '../db/open.ts'

/** Stores the value of a setting unless it has one. Returns the value that it has then. */
export async function requireSetting(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirstOrThrow()
  return row.value
}
