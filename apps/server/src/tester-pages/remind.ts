import { ApiError, type Reminded, type RemindTesters } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import { isExpired } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { requireMailQuota } from '../mails/enqueue.ts'
import { listTesterStatuses, type TesterStatus } from './list-statuses.ts'
import { insertReminders, insertTold } from './reminder-store.ts'

const pauseMs = 24 * 60 * 60 * 1000
/** How often a tester is reminded of one build. */
const reminderLimit = 3

/**
 * Reminds testers of a build who are in one of the given states, by a mail each. The quota of mails refuses all of
 * them or none.
 *
 * @throws {ApiError} buildNotFound, buildWithoutLink, tooManyMails
 */
export async function remindTesters(
  context: Pick<AppContext, 'db' | 'config' | 'jobs' | 'installs'>,
  workspaceId: number,
  buildId: number,
  { states, testerIds }: RemindTesters,
): Promise<Reminded> {
  await context.installs.flush()
  const reminded = await transact(context.db, async (trx) => {
    const { application_id: applicationId } = await requireBuild({ db: trx }, workspaceId, buildId)
    // Two requests at once would both find that nobody was reminded today.
    await lockApplication(trx, applicationId)
    const build = await requireBuild({ db: trx }, workspaceId, buildId)
    if (isExpired(build) || build.link_revoked_at !== null) throw new ApiError('buildWithoutLink')
    const statuses = await listTesterStatuses(trx, build)
    const asked = statuses.filter(
      ({ testerId, groups, state }) =>
        groups.length > 0 && state !== 'installed' && states.includes(state) && (testerIds?.includes(testerId) ?? true),
    )
    const { due, skipped } = sortOut(asked, Date.now())
    await requireMailQuota(trx, workspaceId, due.length, context.config.quotas.maxMailsPerHour)
    await insertTold(trx, buildId, due.filter(({ toldAt }) => toldAt === null).map(toId))
    await insertReminders(trx, { workspaceId, buildId }, due.map(toId))
    if (due.length > 0) await enqueueJobs(trx, [{ kind: 'remind-testers', payload: { workspaceId, buildId } }])
    return { count: due.length, skipped }
  })
  context.jobs.wake()
  return reminded
}

function sortOut(asked: TesterStatus[], now: number) {
  const due: TesterStatus[] = []
  const skipped = { unsubscribed: 0, recent: 0, exhausted: 0 }
  for (const status of asked) {
    const { isUnsubscribed, reminderCount, remindedAt } = status
    if (isUnsubscribed) skipped.unsubscribed++
    else if (reminderCount >= reminderLimit) skipped.exhausted++
    else if (remindedAt !== null && remindedAt > now - pauseMs) skipped.recent++
    else due.push(status)
  }
  return { due, skipped }
}

const toId = ({ testerId }: TesterStatus): number => testerId
