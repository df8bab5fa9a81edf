import { randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { deleteSetting, hasSetUpCode, insertSetUpCode, listSetUpCodes } from './store.ts'

/** Replicas that start together print a link each, and each of them is good. */
const lifetime = 24 * 60 * 60 * 1000

/** The one-time link that makes the first account; undefined once there is a workspace. */
export async function createSetUpUrl({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<string | undefined> {
  if (await hasWorkspace(db)) return undefined
  const code = randomBytes(24).toString('base64url')
  const now = Date.now()
  for (const { key, value } of await listSetUpCodes(db)) {
    if (Number(value) < now - lifetime) await deleteSetting(db, key)
  }
  await insertSetUpCode(db, hashSecret(code), now)
  return `${config.baseUrl}/setup?code=${code}`
}

export async function isSetUpCode(db: Db, code: string): Promise<boolean> {
  return hasSetUpCode(db, hashSecret(code))
}
