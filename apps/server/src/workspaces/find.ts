import type { Workspace } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { findAnyWorkspace, readWorkspaceRow } from './store.ts'
import { toWorkspace } from './workspace.ts'

/** Reads the workspace of a caller. It exists, because callers are deleted with their workspace. */
export async function readWorkspace(db: Db, id: number): Promise<Workspace> {
  return toWorkspace(await readWorkspaceRow(db, id))
}

/** Returns whether the server has any workspace yet. */
export async function hasWorkspace(db: Db): Promise<boolean> {
  return (await findAnyWorkspace(db)) !== undefined
}
