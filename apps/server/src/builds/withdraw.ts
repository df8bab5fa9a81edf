import type { AppContext } from '../context.ts'
import { lockApplication } from '../applications/find.ts'
import { transact } from '../db/transact.ts'
import { requireGroup } from '../distribution-groups/find.ts'
import { deleteBuildGroup } from './distribution-store.ts'
import { requireBuild } from './find.ts'

/**
 * Takes a build back from a group. Install links that its testers already have keep working, until the link of the
 * build is revoked or expires. Repeating it has no further effect.
 *
 * @throws {ApiError} buildNotFound, distributionGroupNotFound
 */
export async function withdrawBuild(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  buildId: number,
  groupId: number,
): Promise<void> {
  await transact(context.db, async (trx) => {
    const build = await requireBuild({ db: trx }, workspaceId, buildId)
    await requireGroup({ db: trx }, workspaceId, groupId)
    // A run of retention rules that counts the builds of the group waits, or is waited for.
    await lockApplication(trx, build.application_id)
    await deleteBuildGroup(trx, build.id, groupId)
  })
}
