import type { UpdateWorkspace, Workspace } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { readWorkspace } from './find.ts'
import { updateWorkspaceRow } from './store.ts'
import { day } from './workspace.ts'

/** Changes the settings of a workspace. A new link lifetime applies to future builds only. */
export async function updateWorkspace(
  { db }: Pick<AppContext, 'db'>,
  id: number,
  { name, linkLifetimeDays, retentionDays }: UpdateWorkspace,
): Promise<Workspace> {
  const values = {
    ...(name !== undefined && { name }),
    ...(linkLifetimeDays !== undefined && { link_lifetime_ms: linkLifetimeDays * day }),
    ...(retentionDays !== undefined && { retention_ms: retentionDays === null ? null : retentionDays * day }),
  }
  await updateWorkspaceRow(db, id, values)
  return readWorkspace(db, id)
}
