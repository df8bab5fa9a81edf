import type { Db } from '../db/open.ts'
import { addOwnPackages } from './own-packages-store.ts'
import { markAllStacks } from './stacks-store.ts'

/**
 * Learns from a build which packages hold the application's own code. If one is new, the stacks of the application are
 * read again by the job that is enqueued here, because frames may belong to another owner now.
 */
export async function learnPackages(trx: Db, applicationId: number, packages: readonly string[]): Promise<void> {
  if (packages.length > 0 && (await addOwnPackages(trx, applicationId, packages))) {
    await markAllStacks(trx, applicationId)
  }
}
