import type { Db } from '../db/open.ts'
import { listMembers } from './store.ts'

/** Lists the e-mail addresses of a workspace's administrators. */
export async function listAdministrators(db: Db, workspaceId: number): Promise<string[]> {
  const members = await listMembers(db, workspaceId)
  return members.filter(({ role, disabled_at }) => role === 'admin' && disabled_at === null).map(({ email }) => email)
}
