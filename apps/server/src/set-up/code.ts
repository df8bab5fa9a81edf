import { randomBytes } from 'node:crypto'
import { hashSecret } from '../api-tokens/secret.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'

/** Each replica prints its own link; all of them stay valid for this long, so that a later start may remove them. */
const lifetime = 24 * 60 * 60 * 1000
const prefix = 'set-up-code:'

/** Creates the one-time link for setting up the first account. Returns undefined once a workspace exists. */
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
