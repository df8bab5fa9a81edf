import { randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'

/** The key of this installation's links: made at the first start, the same for every replica. */
export async function openSigningKey(db: Db): Promise<Buffer> {
  await db
    .insertInto('settings')
    .values({ key: 'link-key', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'link-key')
    .executeTakeFirstOrThrow()
  return Buffer.from(value, 'base64url')
}
