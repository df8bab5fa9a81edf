import { randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { deleteSetting, hasSetUpCode, insertSetUpCode, listSetUpCodes } from './store.ts'

/** Each replica prints its own link; all of them stay valid for this long, so that a later start may remove them. */
const lifetime = 24 * 60 * 60 * 1000

/** Creates the one-time link for setting up the first account. Returns undefined once a workspace exists. */
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
