import { ApiError } from '@fairlead/contract'
import type { ApplicationRow } from '../applications/application.ts'
import { findApplicationByIdentifier } from '../applications/store.ts'
import type { Db } from '../db/open.ts'

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
  const { workspace_id, platform } = named
  const owner = await findApplicationByIdentifier(trx, workspace_id, platform, bundleIdentifier)
  if (owner) return owner
  const taken = await trx
    .updateTable('applications')
    .set({ bundle_identifier: bundleIdentifier })
    .where('id', '=', named.id)
    .where('bundle_identifier', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (taken) return taken
  const { bundle_identifier } = await trx
    .selectFrom('applications')
    .select('bundle_identifier')
    .where('id', '=', named.id)
    .executeTakeFirstOrThrow(() => new ApiError('aliasNotFound'))
  throw new ApiError('identifierMismatch', {
    detail:
      `The binary is ${bundleIdentifier}, the application ${named.alias} is ${bundle_identifier}, ` +
      'and no other application of the workspace has the identifier of the binary',
  })
}
