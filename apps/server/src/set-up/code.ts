import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'

/** Replicas that start together print a link each, and each of them is good. */
const lifetime = 24 * 60 * 60 * 1000
const prefix = 'set-up-code:'

/** The one-time link that makes the first account; undefined once there is a workspace. */
export async function createSetUpUrl({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<string | undefined> {
  const workspace = await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()
  if (workspace) return undefined
  const code = randomBytes(24).toString('base64url')
  const now = Date.now()
  for (const { key, value } of await listCodes(db)) {
    if (Number(value) < now - lifetime) await db.deleteFrom('settings').where('key', '=', key).execute()
  }
  await db
    .insertInto('settings')
    .values({ key: prefix + hashSecret(code), value: String(now) })
    .execute()
  return `${config.baseUrl}/setup?code=${code}`
}

export async function isSetUpCode(db: Db, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('key')
    .where('key', '=', prefix + hashSecret(code))
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSetUpCodes(db: Db): Promise<void> {
  await db.deleteFrom('settings').where('key', 'like', `${prefix}%`).execute()
}

async function listCodes(db: Db) {
  return db.selectFrom('settings').selectAll().where('key', 'like', `${prefix}%`).execute()
}
