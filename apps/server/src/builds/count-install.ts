import { countForAlerts } from '../alerts/count-for-alerts.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { NewInstall } from '../db/schema.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { type CountedBuild, findEmailsOfTesters, insertInstalls } from './install-store.ts'
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
  await transact(db, async (trx) => {
    for (const counted of await insertInstalls(trx, installs)) {
      await countForAlerts(trx, counted.build.application_id, { installs: counted.installs.length })
      await tellHooksOfInstalls(trx, counted)
    }
  })
}

async function tellHooksOfInstalls(trx: Db, { build, installs }: CountedBuild): Promise<void> {
  const { id: buildId, workspace_id: workspaceId, application_id: applicationId, install_count: installCount } = build
  await tellHooks(trx, { type: 'install.recorded', workspaceId, applicationId }, async () => {
    const emails = await findEmailsOfTesters(
      trx,
      installs.flatMap(({ tester_id: id }) => id ?? []),
    )
    return installs.map(({ kind, tester_id: id }) => {
      const tester = id === null ? null : { id, email: emails.get(id) ?? null }
      return { data: { buildId, kind, installCount }, people: { tester } }
    })
  })
}
