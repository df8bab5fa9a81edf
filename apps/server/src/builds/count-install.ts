import type { AppContext } from '../context.ts'
import { insertInstall } from './install-store.ts'

export interface CountedInstall {
  kind: 'install' | 'download'
  testerId: number | null
}

/**
 * Counts one install or download of a build, with the tester when the link was personal. A count that cannot be stored,
 * as on a full disk, is logged and does not keep anybody from the download.
 */
export async function countInstall(
  { db, log }: Pick<AppContext, 'db' | 'log'>,
  buildId: number,
  { kind, testerId }: CountedInstall,
): Promise<void> {
  await db
    .transaction()
    .execute((trx) => insertInstall(trx, { build_id: buildId, tester_id: testerId, kind, created_at: Date.now() }))
    .catch((error: unknown) => log.warn({ err: error, buildId }, 'an install could not be counted'))
}
