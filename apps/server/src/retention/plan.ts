import { ApiError } from '@fairlead/contract'
import { recordByServer } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { dayMs } from './judge.ts'
import { listRunningIds } from './run-store.ts'
import { noticeMs, readRetention } from './settings.ts'
import { startRun, toRunJob } from './start-run.ts'
import { findApplicationOfRun, listDueApplications, scheduleNextRun } from './store.ts'
import { mailDigests } from './digest.ts'

/** How often the server looks which rules are due, in milliseconds. */
const intervalMs = 10 * 60 * 1000

type Context = Pick<AppContext, 'db' | 'config' | 'jobs' | 'log'>

/** Starts the runs that are due, once a day for each application with rules. */
export function createRetentionPlanner(context: Context): JobHandler<'plan-retention'> {
  return {
    isRecurring: true,
    async run(_payload, stopping) {
      const { db, jobs } = context
      // A run whose job is gone, such as one of an imported workspace, gets another.
      await enqueueJobs(db, (await listRunningIds(db)).map(toRunJob))
      const now = Date.now()
      for (const application of await listDueApplications(db, now, now - noticeMs)) {
        if (stopping.aborted) return Date.now()
        await startDueRun(context, application.id, now)
      }
      await mailDigests(context, now)
      jobs.wake()
      return now + intervalMs
    },
  }
}

async function startDueRun(context: Context, applicationId: number, now: number): Promise<void> {
  try {
    const started = await transact(context.db, async (trx) => {
      const application = await findApplicationOfRun(trx, applicationId)
      if (!application) return undefined
      const retention = await readRetention(trx, application)
      await scheduleNextRun(trx, application, now + dayMs, retention)
      if (!retention.isEnabled || retention.rules.length === 0) return undefined
      return startRun(trx, application, retention, 'schedule')
    })
    if (!started) return
    await recordByServer(context, started.workspace_id, 'retention.run', {
      target: `/v1/applications/${applicationId}/retention/runs`,
      details: { id: started.id },
    })
  } catch (error) {
    // A run by hand is under way; the next look comes in some minutes.
    if (!(error instanceof ApiError && error.code === 'retentionRunning')) throw error
  }
}

/** Schedules the one recurring job that all replicas share. */
export async function scheduleRetention({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await enqueueJobs(db, [{ kind: 'plan-retention', key: 'plan-retention', payload: {} }])
}
