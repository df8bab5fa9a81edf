import { ApiError } from '@fairlead/contract'
import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { countBuilds, sumBytes, sumTrashBytes } from './quota-store.ts'

/**
 * Refuses an upload beyond the quota of its workspace. Bytes are what the builds, symbols and test reports of the
 * workspace would need without deduplication, so that one workspace cannot learn what another holds.
 *
 * @throws {ApiError} quotaExceeded
 */
export async function requireRoom(
  { db, config }: { db: Db; config: Pick<Config, 'quotas'> },
  workspaceId: number,
  wanted: { bytes: number; builds: number },
): Promise<void> {
  const { maxBytes, maxBuilds } = config.quotas
  if (maxBuilds !== null && wanted.builds > 0 && (await countBuilds(db, workspaceId)) + wanted.builds > maxBuilds) {
    throw new ApiError('quotaExceeded', { detail: `The workspace has reached its quota of ${maxBuilds} builds` })
  }
  if (maxBytes !== null && (await sumBytes(db, workspaceId)) + wanted.bytes > maxBytes) {
    const trash = await sumTrashBytes(db, workspaceId)
    const hint = trash > 0 ? `; its trash holds ${trash} of them, which emptying it frees` : ''
    throw new ApiError('quotaExceeded', { detail: `The workspace has reached its quota of ${maxBytes} bytes${hint}` })
  }
}

/** Returns how many bytes a workspace uses of its quota. */
export async function readUsedBytes(db: Db, workspaceId: number): Promise<number> {
  return sumBytes(db, workspaceId)
}
