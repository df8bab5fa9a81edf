import { randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'

/** Reads the installation's signing key, creating it at the first start. All replicas share it. */
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
