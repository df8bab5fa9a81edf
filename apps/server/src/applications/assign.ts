import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { findApplicationByIdentifier, findIdentifier, takeIdentifier } from './store.ts'

/**
 * Finds the application that a binary belongs to. That is the application of the workspace with the binary's
 * identifier, whichever alias the upload named. If there is none, the named application takes the identifier, provided
 * that it has none yet.
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
