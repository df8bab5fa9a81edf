import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { lookedAtKinds } from './alert-rule.ts'
import { findApplicationOfAlerts, listApplicationsToMail } from './alerts-store.ts'
import { listApplicationsToLookAt } from './counts-store.ts'
import { fireRule, toMailJob } from './fire.ts'
import { measure } from './measure.ts'
import { changeState, listActiveRules, type RuleRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'jobs'>

const minuteMs = 60_000
/** How often the server looks which applications have something to look at. A rule is to fire within a minute. */
const planMs = 30_000

/**
 * Enqueues a job for each application of which a measured rule may have crossed its line. Applications where nothing
 * happened within a window cost nothing but this one query.
 */
export function createAlertPlanner({ db, jobs }: Context): JobHandler<'plan-alerts'> {
  return {
    isRecurring: true,
    async run() {
      const now = Date.now()
      const ids = await listApplicationsToLookAt(db, now)
      await enqueueJobs(db, ids.map(toLookJob))
      // The job of a mail may be gone, such as that of an imported workspace.
      const late = await listApplicationsToMail(db, now - minuteMs)
      await enqueueJobs(
        db,
        late.map((id) => toMailJob(id, now)),
      )
      if (ids.length + late.length > 0) jobs.wake()
      return now + planMs
    },
  }
}

/** Looks at the measured rules of an application. */
export function createAlertLooker({ db, jobs }: Context): JobHandler<'look-at-alerts'> {
  return {
    async run({ applicationId }) {
      const application = await findApplicationOfAlerts(db, applicationId)
      if (!application) return undefined
      for (const rule of await listActiveRules(db, applicationId, lookedAtKinds)) {
        await lookAtRule(db, rule, application.default_branch)
      }
      jobs.wake()
      return undefined
    },
  }
}

/** Fires a rule that has crossed its line, if it was below it since it fired last and its cooldown is over. */
async function lookAtRule(db: Context['db'], rule: RuleRow, defaultBranch: string): Promise<void> {
  const now = Date.now()
  const measured = await measure({ db, rule, defaultBranch, now })
  if (!measured) return
  const { isOver } = measured
  const isCool = rule.last_fired_at === null || rule.last_fired_at <= now - rule.cooldown_minutes * minuteMs
  const fires = isOver && rule.is_armed === 1 && isCool
  const next = {
    is_firing: isOver ? 1 : 0,
    is_armed: fires ? 0 : isOver ? rule.is_armed : 1,
    last_fired_at: fires ? now : rule.last_fired_at,
  }
  if (!fires && next.is_firing === rule.is_firing && next.is_armed === rule.is_armed) return
  await transact(db, async (trx) => {
    if (!(await changeState(trx, rule, next)) || !fires) return
    await fireRule(trx, rule, measured, now)
  })
}

export function toLookJob(applicationId: number) {
  return { kind: 'look-at-alerts' as const, key: `look-at-alerts:${applicationId}`, payload: { applicationId } }
}

/** Schedules the one recurring job that all replicas share. */
export async function scheduleAlerts({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await enqueueJobs(db, [{ kind: 'plan-alerts', key: 'plan-alerts', payload: {} }])
}
