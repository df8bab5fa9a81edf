import { ApiError, type DistributeBuild } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { toNameKey } from '../distribution-groups/name-key.ts'
import { listGroupsById, listGroupsByName } from '../distribution-groups/find.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { type BuildRecord, isExpired } from './build.ts'
import { toBuildFacts } from './build-event.ts'
import { countUntold, insertBuildGroups } from './distribution-store.ts'
import { requireBuild } from './find.ts'
import { notifyTesters } from './notify-testers.ts'
import { transact } from '../db/transact.ts'

/**
 * Distributes a build to groups, given by ids or, when there are none, by names. Repeating it has no further effect.
 *
 * @throws {ApiError} buildNotFound, buildExpired, missingGroups, unknownGroup
 */
export async function distributeBuild(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'jobs'>,
  workspaceId: number,
  buildId: number,
  input: DistributeBuild,
): Promise<void> {
  await transact(context.db, async (trx) => {
    const { application_id: applicationId } = await requireBuild({ db: trx }, workspaceId, buildId)
    // A run of retention rules that is looking at this build waits, and then sees that it is distributed; or it was
    // first, and the build is gone.
    await lockApplication(trx, applicationId)
    const build = await requireBuild({ db: trx }, workspaceId, buildId)
    if (isExpired(build)) throw new ApiError('buildExpired')
    const groupIds = await findGroups({ db: trx }, workspaceId, input)
    await insertBuildGroups(trx, build.id, groupIds)
    const of = { type: 'build.distributed' as const, workspaceId, applicationId: build.application_id }
    await tellHooks(trx, of, async () => {
      const groups = await listGroupsById({ db: trx }, workspaceId, groupIds)
      const distributionGroups = groups.map(({ id, name }) => ({ id, name }))
      const notifiedCount = input.notifyTesters === true ? await countUntold(trx, build, groupIds) : 0
      return toBuildFacts(build, { distributionGroups, notifiedCount })
    })
    if (input.notifyTesters === true) await notifyTesters({ ...context, db: trx }, build, groupIds)
  })
  context.jobs.wake()
}

async function findGroups(
  context: Pick<AppContext, 'db'>,
  workspaceId: BuildRecord['workspace_id'],
  { distributionGroupIds, distributionGroupNames }: DistributeBuild,
): Promise<number[]> {
  if (distributionGroupIds && distributionGroupIds.length > 0) {
    const found = new Set((await listGroupsById(context, workspaceId, distributionGroupIds)).map((group) => group.id))
    refuseUnknown('distributionGroupIds', distributionGroupIds, (id) => found.has(id))
    return [...found]
  }
  if (distributionGroupNames && distributionGroupNames.length > 0) {
    const groups = await listGroupsByName(context, workspaceId, distributionGroupNames)
    const found = new Set(groups.map((group) => group.name_key))
    refuseUnknown('distributionGroupNames', distributionGroupNames, (name) => found.has(toNameKey(name)))
    return groups.map((group) => group.id)
  }
  throw new ApiError('missingGroups')
}

/** Bounds the size of an error answer, however many unknown groups a request lists. */
const faultLimit = 100

function refuseUnknown<Key extends string | number>(field: string, keys: Key[], isKnown: (key: Key) => boolean): void {
  const faults = keys.flatMap((key, index) =>
    isKnown(key) ? [] : [{ source: `/${field}/${index}`, detail: `There is no distribution group ${toShownKey(key)}` }],
  )
  if (faults.length === 0) return
  throw new ApiError('unknownGroup', {
    detail: faults
      .map((fault) => fault.detail)
      .join('; ')
      .slice(0, 1000),
    faults: faults.slice(0, faultLimit),
  })
}

/** Cuts the key to the longest name that a group can have. */
function toShownKey(key: string | number): string {
  return typeof key === 'number' || key.length <= 200 ? JSON.stringify(key) : `${JSON.stringify(key.slice(0, 200))}…`
}
