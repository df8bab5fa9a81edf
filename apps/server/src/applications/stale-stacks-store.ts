import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/** Has the stacks of applications read again, because what tells their own frames or their symbols changed. */
export async function markStacksOfApplications(db: Db, ids: number[]): Promise<void> {
  await db
    .updateTable('crash_stacks')
    .set((update) => ({ is_stale: update('is_stale', '+', 1) }))
    .where('application_id', 'in', ids)
    .execute()
  await enqueueJobs(db, [{ kind: 'reread-crashes', key: 'reread-crashes', payload: {} }])
}
