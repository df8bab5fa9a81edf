import { ApiError } from '@fairlead/contract'
import { removeBuild } from '../builds/remove.ts'
import type { AppContext } from '../context.ts'
import { listOldestBuilds, listRetentions } from './store.ts'

const batchSize = 100

/** Deletes the builds that are older than their workspace keeps them, where an administrator turned that on. */
export async function deleteOldBuilds(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (const { id, retention_ms } of await listRetentions(context.db)) {
    if (retention_ms !== null) deleted += await deleteBuildsBefore(context, id, now - retention_ms, signal)
  }
  return deleted
}

async function deleteBuildsBefore(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  workspaceId: number,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    // Ids and times of upload grow together, so the old builds are among those with the lowest ids.
    const oldest = await listOldestBuilds(context.db, workspaceId, batchSize)
    const old = oldest.filter((build) => build.uploaded_at < before)
    for (const { id } of old) {
      if (await removeIfThere(context, workspaceId, id)) deleted++
    }
    if (old.length < batchSize) break
  }
  return deleted
}

/** Somebody may have been faster. */
async function removeIfThere(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  workspaceId: number,
  id: number,
): Promise<boolean> {
  try {
    await removeBuild(context, workspaceId, id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'buildNotFound') return false
    throw error
  }
}
