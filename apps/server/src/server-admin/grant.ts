import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { setServerAdmin } from './store.ts'

/** Makes an account an administrator of the server, or takes that away. Returns false when there is no such account. */
export async function grantServerAdmin(db: Db, email: string, isServerAdmin: boolean): Promise<boolean> {
  return setServerAdmin(db, toEmailKey(email), isServerAdmin)
}
