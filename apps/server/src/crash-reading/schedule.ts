import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/** Enqueues the reading of crashes that a process left behind; without any, the jobs end at once. */
export async function scheduleCrashReading({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await enqueueJobs(db, [
    { kind: 'read-crashes', key: 'read-crashes', payload: {} },
    { kind: 'reread-crashes', key: 'reread-crashes', payload: {} },
  ])
}
