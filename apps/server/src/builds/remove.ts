import { ApiError } from '@fairlead/contract'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { toBuildFacts } from './build-event.ts'
import { findBuild } from './store.ts'
import { deleteBuildRow } from './write-store.ts'
import { transact } from '../db/transact.ts'

/** Deletes a build, and its bytes when no other build has the same ones. */
export async function removeBuild(
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'jobs'>,
  workspaceId: number,
  buildId: number,
): Promise<void> {
  const keys = await context.blobs.reserve.delete(() =>
    transact(context.db, async (trx) => {
      const build = await findBuild(trx, workspaceId, buildId)
      const freed = build && (await deleteBuildRow(trx, workspaceId, buildId))
      if (!build || !freed) return undefined
      const of = { type: 'build.deleted' as const, workspaceId, applicationId: build.application_id }
      await tellHooks(trx, of, () => toBuildFacts(build, { reason: 'hand' }))
      return freed
    }),
  )
  context.jobs.wake()
  if (!keys) throw new ApiError('buildNotFound')
  await removeKeys(context, keys)
}
