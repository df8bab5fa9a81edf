import { randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { requireSetting } from './store.ts'

/** Reads the installation's signing key, creating it at the first start. All replicas share it. */
export async function openSigningKey(db: Db): Promise<Buffer> {
  return Buffer.from(await requireSetting(db, 'link-key', randomBytes(32).toString('base64url')), 'base64url')
}
