import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { enqueueMails, storeMailNotes } from '../mails/enqueue.ts'
import { type BuildMailKind, createBuildMail, renderMailNotes } from './build-mail.ts'
import type { BuildRecord } from './build.ts'
import { findMailedTesters, insertNotifications } from './distribution-store.ts'
import { findBuild } from './store.ts'

/** How many testers one transaction mails. Larger transactions would block other users of the embedded database. */
const batchSize = 100
/** The pause between two batches, in milliseconds, in which requests get their turn. */
const pauseMs = 10

/**
 * Queues one mail for each tester of the groups who has not been told about this build, however many of the groups they
 * belong to. Repeating a distribution therefore reaches only testers who joined since. The first mails are queued in
 * the caller's transaction, and a job queues the others.
 */
export async function notifyTesters(
  context: Pick<AppContext, 'config' | 'signingKey'> & { db: Db },
  build: BuildRecord,
  groupIds: number[],
): Promise<void> {
  if (!(await notifyBatch(context, build, groupIds))) return
  const payload = { workspaceId: build.workspace_id, buildId: build.id, groupIds }
  await enqueueJobs(context.db, [{ kind: 'notify-testers', payload }])
}

/** Creates the handler that queues the mails of a large distribution, one short transaction after the other. */
export function createTesterNotifier(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'jobs'>,
): JobHandler<'notify-testers'> {
  return {
    async run({ workspaceId, buildId, groupIds }, stopping) {
      for (let isMore = true; isMore;) {
        // The embedded database runs on the thread that answers requests, so a pause lets waiting requests go first.
        await setTimeout(pauseMs)
        isMore = await transact(context.db, async (trx) => {
          const build = await findBuild(trx, workspaceId, buildId)
          return build !== undefined && notifyBatch({ ...context, db: trx }, build, groupIds)
        })
        context.jobs.wake()
        // After a shutdown, another process or the next start continues the job.
        if (stopping.aborted) return Date.now()
      }
      return undefined
    },
  }
}

/** Returns whether there may be more testers to mail. */
async function notifyBatch(
  context: Pick<AppContext, 'config' | 'signingKey'> & { db: Db },
  build: BuildRecord,
  groupIds: number[],
): Promise<boolean> {
  const { db } = context
  const { told, isMore } = await insertNotifications(db, build, groupIds, batchSize)
  if (told.length === 0) return isMore
  await mailTesters(context, build, { testerIds: told, kind: 'news' })
  return isMore
}

/** Queues a mail about a build for each of these testers, who share the release notes. */
export async function mailTesters(
  context: Pick<AppContext, 'config' | 'signingKey'> & { db: Db },
  build: BuildRecord,
  { testerIds, kind }: { testerIds: number[]; kind: BuildMailKind },
): Promise<void> {
  const { db } = context
  const testers = await findMailedTesters(db, testerIds)
  const notes = renderMailNotes(build)
  const notesId = notes === null ? null : await storeMailNotes(db, notes)
  const toMail = createBuildMail(context, build, { kind, notesId })
  await enqueueMails(context, build.workspace_id, testers.map(toMail))
}
