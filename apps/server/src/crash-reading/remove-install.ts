import { hashInstall } from '@fairlead/crashes'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { saveSketch } from './counters-store.ts'
import { readSketch, removeInstall, writeSketch } from '../crash-releases/install-sketch.ts'
import { toInstallSecret } from '../crash-groups/install-secret.ts'
import { deleteCrashesOfInstall, listGroupIdsOf, listSketchesOf } from '../crash-groups/crash-store.ts'
import { lockApplication } from '../crash-stacks/stacks-store.ts'
import { sumGroup } from '../crash-groups/sum-group.ts'

/**
 * Deletes the crashes of one installation with their reports, and its id from the sets of installs while they are
 * exact. Counts stay, because they name nobody. The id is given as the SDK sends it, or as the API shows it.
 */
export async function removeInstallOf(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'blobs'>,
  applicationId: number,
  installId: string,
): Promise<void> {
  const { db, config, blobs } = context
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const hashed = hashInstall(installId, toInstallSecret(context, applicationId))
  const remove = async (trx: Db) => {
    await lockApplication(trx, engine, applicationId)
    for (const id of /^[0-9a-f]{16}$/.test(installId) ? [hashed, installId] : [hashed]) {
      const stackIds = await deleteCrashesOfInstall(trx, applicationId, id)
      if (stackIds.length === 0) continue
      for (const stackId of stackIds) {
        for (const row of await listSketchesOf(trx, stackId)) {
          const sketch = readSketch(row.sketch)
          if (removeInstall(sketch, id)) await saveSketch(trx, { ...row, sketch: writeSketch(sketch) })
        }
      }
      for (const groupId of await listGroupIdsOf(trx, stackIds)) await sumGroup(trx, groupId)
    }
  }
  await blobs.reserve.delete(() => db.transaction().execute(remove))
}
