import type { Updateable } from 'kysely'
import type { HookEventType } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { toReleaseOrNull } from './crash-group.ts'
import { lacksSymbols } from './group-facts-store.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'

interface Change {
  type: Extract<HookEventType, `crashGroup.${string}`>
  group: Row<'crash_groups'>
  /** What a batch of crashes changed. */
  values: Updateable<Schema['crash_groups']>
}

/** Tells hooks of a group that is new, came back or spikes. */
export async function tellOfGroup(
  trx: Db,
  { id: applicationId, workspaceId }: { id: number; workspaceId: number },
  { type, group: before, values }: Change,
): Promise<void> {
  await tellHooks(trx, { type, workspaceId, applicationId }, async () => {
    const group = { ...before, ...values }
    const [first, last] = [group.first_release_id ?? 0, group.last_release_id ?? 0]
    const releases = await listReleasesById(trx, [first, last])
    return {
      data: {
        crashGroupId: before.id,
        kind: group.kind,
        title: group.title,
        culprit: group.culprit,
        firstRelease: toReleaseOrNull(releases.get(first)),
        lastRelease: toReleaseOrNull(releases.get(last)),
        crashCount: group.crash_count,
        isSymbolicated: !(await lacksSymbols(trx, before.id)),
      },
    }
  })
}
