import type { AppContext } from '../context.ts'
import { sweepAlerts } from '../alerts/sweep.ts'
import { sweepOrphans } from '../blobs/records.ts'
import { deleteOldCrashes } from '../crash-reading/retention.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { deleteOldChunks } from '../symbols-files/chunks.ts'
import { purgeOldTrash } from '../retention/empty-trash.ts'
import { deleteOldTestResults } from '../test-verdicts/retention.ts'
import { sweepUnpublishedReports } from '../test-results/sweep.ts'
import { expireUploads } from '../uploads/expire.ts'
import { sweepExpired } from './sweep.ts'

const interval = 24 * 60 * 60 * 1000
/** A test report that was not completely stored within this time, in milliseconds, was abandoned. */
const uploadLifetime = 60 * 60 * 1000
/** Blobs younger than this are not swept, because an upload may be about to commit them. */
const orphanAge = 24 * 60 * 60 * 1000

/** Runs the daily chores on one replica at a time, and once more at each start. */
export function createDailyChores(
  context: Pick<AppContext, 'db' | 'blobs' | 'log' | 'config'>,
): JobHandler<'daily-chores'> {
  return {
    isRecurring: true,
    async run(_payload, signal) {
      const now = Date.now()
      await sweepExpired(context.db, now)
      await sweepUnpublishedReports(context.db, now - uploadLifetime)
      await expireUploads(context, now)
      const swept = await sweepOrphans(context, now - orphanAge)
      if (swept > 0) context.log.info({ swept }, 'removed blobs left by interrupted uploads')
      const purged = await purgeOldTrash(context, { now, trashDays: context.config.trashDays }, signal)
      if (purged > 0) context.log.info({ purged }, 'deleted builds that were in the trash for long enough')
      await deleteOldChunks(context, now)
      await sweepAlerts(context.db, now)
      const crashes = await deleteOldCrashes(context, now, signal)
      if (crashes > 0) context.log.info({ crashes }, 'deleted crashes past their retention period')
      const runs = await deleteOldTestResults(context, now, signal)
      if (runs > 0)
        context.log.info({ runs }, 'deleted attachments or results of test runs past their retention period')
      // Chores that a shutdown interrupted run again at the next start.
      return signal.aborted ? now : now + interval
    },
  }
}

/** Schedules the one recurring job that all replicas share; its key makes scheduling it again a no-op. */
export async function scheduleDailyChores({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await enqueueJobs(db, [{ kind: 'daily-chores', key: 'daily-chores', payload: {} }])
}
