import { purgeTrash } from '../builds/trash.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { dayMs } from './judge.ts'
import { deleteOldRuns } from './run-store.ts'

/** Runs and their lists are kept for a year, as the audit log is. */
const runLifetime = 365 * dayMs

/** Creates the handler that deletes what is in the trash of an application. */
export function createTrashEmptier(context: Pick<AppContext, 'db' | 'blobs' | 'log'>): JobHandler<'empty-trash'> {
  return {
    async run(trash, stopping) {
      await purgeTrash(context, trash, stopping)
      return stopping.aborted ? Date.now() : undefined
    },
  }
}

/** Deletes what the trash of an application holds now; a job does it. */
export async function emptyTrash({ db, jobs }: Pick<AppContext, 'jobs'> & { db: Db }, applicationId: number) {
  await enqueueJobs(db, [{ kind: 'empty-trash', payload: { applicationId, before: Date.now() } }])
  jobs.wake()
}

/** Deletes builds that have been in the trash for long enough, and old runs. Returns the number of builds. */
export async function purgeOldTrash(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  { now, trashDays }: { now: number; trashDays: number },
  stopping: AbortSignal,
): Promise<number> {
  await deleteOldRuns(context.db, now - runLifetime)
  return purgeTrash(context, { applicationId: null, before: now - trashDays * dayMs }, stopping)
}
