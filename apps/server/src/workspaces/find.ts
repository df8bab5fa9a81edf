import type { Workspace } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { findAnyWorkspace, readWorkspaceRow } from './store.ts'
import { toWorkspace } from './workspace.ts'

/** The workspace of a caller, which is there because the caller is. */
export async function readWorkspace(db: Db, id: number): Promise<Workspace> {
  return toWorkspace(await readWorkspaceRow(db, id))
}

/** Whether the server has any workspace yet. */
export async function hasWorkspace(db: Db): Promise<boolean> {
  return (await findAnyWorkspace(db)) !== undefined
}
