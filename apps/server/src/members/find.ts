import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { listMembers } from './store.ts'

/** Whether a member of the workspace has this e-mail address. */
export async function isMemberEmail(db: Db, workspaceId: number, email: string): Promise<boolean> {
  const members = await listMembers(db, workspaceId)
  return members.some((member) => toEmailKey(member.email) === toEmailKey(email))
}
