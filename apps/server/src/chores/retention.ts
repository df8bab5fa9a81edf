import { ApiError } from '@fairlead/contract'
import { removeBuild } from '../builds/remove.ts'
import type { AppContext } from '../context.ts'
import { listOldestBuilds, listRetentions } from './store.ts'

const batchSize = 100

/** Deletes builds that exceed the retention period of their workspace, where an administrator has set one. */
export async function deleteOldBuilds(
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'jobs'>,
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
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'jobs'>,
  workspaceId: number,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    // Ids grow with upload time, so the oldest builds have the lowest ids.
    const oldest = await listOldestBuilds(context.db, workspaceId, batchSize)
    const old = oldest.filter((build) => build.uploaded_at < before)
    for (const { id } of old) {
      if (await removeIfThere(context, workspaceId, id)) deleted++
    }
    if (old.length < batchSize) break
  }
  return deleted
}

/** Another replica or a user may have deleted the build already. */
async function removeIfThere(
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'jobs'>,
  workspaceId: number,
  id: number,
): Promise<boolean> {
  try {
    await removeBuild(context, workspaceId, id, 'retention')
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'buildNotFound') return false
    throw error
  }
}
