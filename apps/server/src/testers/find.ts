import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { findTestersByKey } from './store.ts'

/** Whether a tester of the workspace has this e-mail address. */
export async function isTesterEmail(db: Db, workspaceId: number, email: string): Promise<boolean> {
  const testers = await findTestersByKey(db, workspaceId, [toEmailKey(email)])
  return testers.length > 0
}
