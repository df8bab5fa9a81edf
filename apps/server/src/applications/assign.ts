import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { markStacksOfApplications } from './stale-stacks-store.ts'
import { findApplicationByIdentifier, lockApplicationRow, setIdentifier } from './store.ts'

/**
 * Finds and locks the application that a binary belongs to. That is the application of the workspace with the binary's
 * identifier, whichever alias the upload named. If there is none, the named application takes the identifier, provided
 * that it has none yet.
 *
 * @throws {ApiError} aliasNotFound, identifierMismatch
 */
export async function assignApplication(
  trx: Db,
  named: ApplicationRow,
  bundleIdentifier: string,
): Promise<Pick<ApplicationRow, 'id'>> {
  const owner = await findApplicationByIdentifier(trx, named.workspace_id, named.platform, bundleIdentifier)
  const locked = await lockApplicationRow(trx, owner?.id ?? named.id)
  if (!locked) throw new ApiError('aliasNotFound')
  // A concurrent upload may have taken the identifier meanwhile, so only the locked row decides.
  if (locked.bundle_identifier === bundleIdentifier) return locked
  if (locked.bundle_identifier === null) {
    await setIdentifier(trx, locked.id, bundleIdentifier)
    // The identifier tells which frames of its crashes are its own.
    await markStacksOfApplications(trx, [locked.id])
    return locked
  }
  throw new ApiError('identifierMismatch', {
    detail:
      `The binary is ${bundleIdentifier}, the application ${locked.alias} is ${locked.bundle_identifier}, ` +
      'and no other application of the workspace has the identifier of the binary',
    // Tells programs that an application could be created for the file.
    faults: [{ source: '/bundleIdentifier', detail: `${bundleIdentifier} belongs to no application` }],
  })
}
