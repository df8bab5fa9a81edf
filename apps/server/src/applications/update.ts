import { ApiError, type Application, type UpdateApplication } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toApplication } from './application.ts'
import { naming } from './create.ts'
import { requireApplication } from './find.ts'
import { linkApplications } from './link.ts'
import { markStacksOfApplications } from './stale-stacks-store.ts'
import { updateApplicationRow } from './store.ts'

/**
 * Changes the given fields. The alias and the bundle identifier are fixed once builds exist, because CI jobs and
 * installed apps refer to them.
 *
 * @throws {ApiError} applicationNotFound, aliasTaken, bundleIdentifierTaken, aliasFixed, identifierFixed
 */
export async function updateApplication(
  context: Pick<AppContext, 'db' | 'memo' | 'config' | 'jobs'>,
  workspaceId: number,
  id: number,
  input: UpdateApplication,
): Promise<Application> {
  const { db, config, jobs } = context
  const before = await requireApplication(context, workspaceId, id)
  const { name, alias, bundleIdentifier, defaultBranch, commitUrl, keepsCustomData, linkedApplicationId } = input
  if (before.build_count > 0) {
    if (alias !== undefined && alias !== before.alias) throw new ApiError('aliasFixed')
    if (bundleIdentifier !== undefined && bundleIdentifier !== before.bundle_identifier) {
      throw new ApiError('identifierFixed')
    }
  }
  const aliasToTake = alias === before.alias ? undefined : alias
  const isReread = bundleIdentifier !== undefined && bundleIdentifier !== before.bundle_identifier
  await naming(db, workspaceId, aliasToTake, () =>
    updateApplicationRow(db, workspaceId, id, {
      ...(keepsCustomData !== undefined && { keeps_custom_data: keepsCustomData ? 1 : 0 }),
      ...(name !== undefined && { name }),
      ...(alias !== undefined && { alias }),
      ...(defaultBranch !== undefined && { default_branch: defaultBranch }),
      ...(commitUrl !== undefined && { commit_url: commitUrl }),
      ...(bundleIdentifier !== undefined && { bundle_identifier: bundleIdentifier }),
    }),
  )
  if (linkedApplicationId !== undefined) await linkApplications(db, before, linkedApplicationId)
  if (isReread) await markStacksOfApplications(db, [id])
  if (isReread || linkedApplicationId !== undefined) jobs.wake()
  return toApplication(await requireApplication(context, workspaceId, id), config.baseUrl)
}
