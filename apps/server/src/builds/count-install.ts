import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { NewInstall } from '../db/schema.ts'
import { insertInstalls } from './install-store.ts'
import { transact } from '../db/transact.ts'

export interface CountedInstall {
  kind: 'install' | 'download'
  testerId: number | null
}

/**
 * Counts one install or download of a build, with the tester when the link was personal. The count is written a moment
 * later together with others, so that a download costs no transaction and never fails because of its count.
 */
export function countInstall(
  { installs }: Pick<AppContext, 'installs'>,
  buildId: number,
  { kind, testerId }: CountedInstall,
): void {
  installs.add({ build_id: buildId, tester_id: testerId, kind, created_at: Date.now() })
}

/** Writes counted installs; those of builds that were deleted meanwhile are dropped. */
export async function writeInstalls(db: Db, installs: NewInstall[]): Promise<void> {
  await transact(db, (trx) => insertInstalls(trx, installs))
}
