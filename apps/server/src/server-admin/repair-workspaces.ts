/** Repairs workspaces whose last administrator is gone, for instance because a group of a provider took the role. */
import { recordByServer } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { makeAdministrator } from '../members/make-admin.ts'
import { findWorkspaceName, listWorkspacesWithoutAdmin } from './store.ts'

/** Lists the workspaces that no person administrates. Their tokens go on. */
export function listLostWorkspaces(db: Db): Promise<{ id: number; name: string }[]> {
  return listWorkspacesWithoutAdmin(db)
}

/** Makes an account an administrator of a workspace. Returns its name, or undefined when there is no such workspace. */
export async function repairWorkspace(
  context: Pick<AppContext, 'db' | 'log'>,
  workspaceId: number,
  { id, email }: { id: number; email: string },
): Promise<string | undefined> {
  const name = await findWorkspaceName(context.db, workspaceId)
  if (name === undefined) return undefined
  const wasMember = await makeAdministrator(context.db, workspaceId, id)
  await recordByServer(context, workspaceId, wasMember ? 'member.update' : 'member.join', {
    target: `/v1/members/${id}`,
    details: { email, role: 'admin' },
  })
  return name
}
