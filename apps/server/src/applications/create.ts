import { ApiError, type Application, type CreateApplication } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { toApplication } from './application.ts'
import { requireApplication } from './find.ts'
import { addStartingRules } from './starting-rules.ts'
import { findApplicationByAlias, insertApplication } from './store.ts'

/** @throws {ApiError} aliasTaken, bundleIdentifierTaken */
export async function createApplication(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  workspaceId: number,
  input: CreateApplication,
): Promise<Application> {
  const id = await naming(context.db, workspaceId, input.alias, () =>
    transact(context.db, async (trx) => {
      const created = await insertApplication(trx, {
        workspace_id: workspaceId,
        alias: input.alias,
        name: input.name,
        platform: input.platform,
        bundle_identifier: input.bundleIdentifier ?? null,
        created_at: Date.now(),
      })
      await addStartingRules(trx, workspaceId, created)
      return created
    }),
  )
  return toApplication(await requireApplication(context, workspaceId, id), context.config.baseUrl)
}

/**
 * Runs a write that may violate a unique name and reports which of the two names was taken.
 *
 * @throws {ApiError} aliasTaken, bundleIdentifierTaken
 */
export async function naming<Result>(
  db: Db,
  workspaceId: number,
  alias: string | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const holder = alias === undefined ? undefined : await findApplicationByAlias(db, workspaceId, alias)
    throw new ApiError(holder ? 'aliasTaken' : 'bundleIdentifierTaken', { cause: error })
  }
}
