import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { findApplicationByIdentifier, findIdentifier, takeIdentifier } from './store.ts'

/**
 * The application a binary belongs to: the workspace's one with its identifier, whichever alias was named; else the
 * named one, if it has no identifier yet, which then takes it.
 *
 * @throws {ApiError} identifierMismatch
 */
export async function assignApplication(
  trx: Db,
  named: ApplicationRow,
  bundleIdentifier: string,
): Promise<Pick<ApplicationRow, 'id'>> {
  const owner = await findApplicationByIdentifier(trx, named.workspace_id, named.platform, bundleIdentifier)
  if (owner) return owner
  if (await takeIdentifier(trx, named.id, bundleIdentifier)) return named
  const holder = await findIdentifier(trx, named.id)
  if (!holder) throw new ApiError('aliasNotFound')
  throw new ApiError('identifierMismatch', {
    detail:
      `The binary is ${bundleIdentifier}, the application ${named.alias} is ${holder.bundle_identifier}, ` +
      'and no other application of the workspace has the identifier of the binary',
  })
}
