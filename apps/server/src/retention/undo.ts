import { ApiError, type Build, type RetentionRun } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import { toBuild } from '../builds/build.ts'
import { toBuildFacts } from '../builds/build-event.ts'
import { listBuildsById, requireBuild } from '../builds/find.ts'
import { findTrashedBuild, takeFromTrash } from '../builds/trash.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { requireRun, toRetentionRun, undoableUntil } from './retention-run.ts'
import { addRestored, findRun, listTrashedIds, lockRun, type RunRow, updateLines, updateRun } from './run-store.ts'
import { noticeMs } from './settings.ts'
import { postponeNextRun } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'jobs'>

/** How many builds one transaction restores. */
const batchSize = 200

/** A job completes an undo whose process ended, this many milliseconds after it began. */
const completionMs = 60_000

/**
 * Undoes a run: what is still in the trash comes back, and a run that is under way stops. The next run by schedule
 * waits a day, so that people can change the rules before it takes the same builds.
 *
 * @throws {ApiError} retentionRunNotFound, undoTooLate
 */
export async function undoRun(context: Context, workspaceId: number, id: number): Promise<RetentionRun> {
  const { db, config } = context
  const known = await requireRun(context, workspaceId, id)
  await transact(db, async (trx) => {
    await lockApplication(trx, known.application_id)
    const run = await lockRun(trx, id, ['running', 'done'])
    if (!run) return
    const until = undoableUntil(run, config)
    const now = Date.now()
    if (until !== null && until <= now) throw new ApiError('undoTooLate')
    await updateRun(trx, id, { state: 'undone', finished_at: run.finished_at ?? now })
    await postponeNextRun(trx, run.application_id, now + noticeMs)
    await enqueueJobs(trx, [{ ...toUndoJob(id), runAt: now + completionMs }])
  })
  await restoreAll(context, id, new AbortController().signal)
  context.jobs.wake()
  return toRetentionRun(await requireRun(context, workspaceId, id), config)
}

/** Creates the handler that completes undoing. */
export function createUndoJob(context: Context): JobHandler<'undo-retention'> {
  return {
    isRecurring: true,
    run: async ({ runId }, stopping) => ((await restoreAll(context, runId, stopping)) ? undefined : Date.now()),
  }
}

/** Returns whether everything is restored. */
async function restoreAll({ db }: Pick<Context, 'db'>, runId: number, stopping: AbortSignal): Promise<boolean> {
  const run = await findRun(db, runId)
  if (!run || run.state !== 'undone') return true
  while (!stopping.aborted) {
    if ((await transact(db, (trx) => restoreBatch(trx, run))) === 0) return true
  }
  return false
}

async function restoreBatch(trx: Db, run: RunRow): Promise<number> {
  await lockApplication(trx, run.application_id)
  const ids = await listTrashedIds(trx, run.id, batchSize)
  return restore(trx, { workspaceId: run.workspace_id, applicationId: run.application_id, runId: run.id }, ids)
}

interface Place {
  workspaceId: number
  applicationId: number
  /** The run that moved the builds to the trash. */
  runId: number | null
}

async function restore(trx: Db, { workspaceId, applicationId, runId }: Place, ids: number[]): Promise<number> {
  const taken = await takeFromTrash(trx, applicationId, ids)
  if (taken.length > 0) {
    await tellHooks(trx, { type: 'build.restored', workspaceId, applicationId }, async () =>
      (await listBuildsById({ db: trx }, taken)).map((build) => toBuildFacts(build)),
    )
  }
  if (runId !== null && taken.length > 0) {
    await updateLines(trx, runId, taken, 'restored')
    await addRestored(trx, runId, taken.length)
  }
  return taken.length
}

/**
 * Takes one build out of the trash. One that is not there stays as it is.
 *
 * @throws {ApiError} buildNotFound
 */
export async function restoreBuild(context: Context, workspaceId: number, id: number) {
  await transact(context.db, async (trx) => {
    const build = await findTrashedBuild({ db: trx }, id)
    if (!build || build.workspace_id !== workspaceId) return
    await lockApplication(trx, build.application_id)
    const place = { workspaceId, applicationId: build.application_id, runId: build.retention_run_id }
    await restore(trx, place, [id])
  })
  context.jobs.wake()
  const restored: Build = toBuild(await requireBuild(context, workspaceId, id), context.config.baseUrl)
  return restored
}

function toUndoJob(runId: number) {
  return { kind: 'undo-retention' as const, key: `undo-retention ${runId}`, payload: { runId } }
}
