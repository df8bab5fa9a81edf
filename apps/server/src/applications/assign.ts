import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { findApplicationByIdentifier, findIdentifier, takeIdentifier } from './store.ts'

/**
 * Finds the application that a binary belongs to: the one in the workspace with its bundle identifier, whatever alias
 * was given. Otherwise the application with the given alias, which takes over the identifier if it has none yet.
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
