import { ApiError, type Application, type UpdateApplication } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toApplication } from './application.ts'
import { naming } from './create.ts'
import { requireApplication } from './find.ts'
import { updateApplicationRow } from './store.ts'

/**
 * Changes the given fields. The alias and the bundle identifier are fixed once builds exist, because CI jobs and
 * installed apps refer to them.
 *
 * @throws {ApiError} applicationNotFound, aliasTaken, bundleIdentifierTaken, aliasFixed, identifierFixed
 */
export async function updateApplication(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  workspaceId: number,
  id: number,
  input: UpdateApplication,
): Promise<Application> {
  const { db, config } = context
  const before = await requireApplication(context, workspaceId, id)
  const { name, alias, bundleIdentifier, defaultBranch, commitUrl } = input
  if (before.build_count > 0) {
    if (alias !== undefined && alias !== before.alias) throw new ApiError('aliasFixed')
    if (bundleIdentifier !== undefined && bundleIdentifier !== before.bundle_identifier) {
      throw new ApiError('identifierFixed')
    }
  }
  const aliasToTake = alias === before.alias ? undefined : alias
  await naming(db, workspaceId, aliasToTake, () =>
    updateApplicationRow(db, workspaceId, id, {
      ...(name !== undefined && { name }),
      ...(alias !== undefined && { alias }),
      ...(defaultBranch !== undefined && { default_branch: defaultBranch }),
      ...(commitUrl !== undefined && { commit_url: commitUrl }),
      ...(bundleIdentifier !== undefined && { bundle_identifier: bundleIdentifier }),
    }),
  )
  return toApplication(await requireApplication(context, workspaceId, id), config.baseUrl)
}
