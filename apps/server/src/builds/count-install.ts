import type { AppContext } from '../context.ts'
import { insertInstall } from './install-store.ts'
import { transact } from '../db/transact.ts'

export interface CountedInstall {
  kind: 'install' | 'download'
  testerId: number | null
}

/** Counts one install or download of a build, with the tester when the link was personal. */
export async function countInstall(
  { db }: Pick<AppContext, 'db'>,
  buildId: number,
  { kind, testerId }: CountedInstall,
): Promise<void> {
  await transact(db, (trx) =>
    insertInstall(trx, { build_id: buildId, tester_id: testerId, kind, created_at: Date.now() }),
  )
}
