import { lockApplication } from '../applications/find.ts'
import { toBuildFacts } from '../builds/build-event.ts'
import { listTrashedBuilds, moveToTrash } from '../builds/trash.ts'
import type { AppContext } from '../context.ts'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { RunSettings } from '../db/schema/retention.ts'
import { transact } from '../db/transact.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { findSpared } from './find-spared.ts'
import { judgeApplication } from './preview.ts'
import {
  countLines,
  findRun,
  insertLines,
  listNextLines,
  lockRun,
  type RunRow,
  updateLines,
  updateRun,
} from './run-store.ts'
import { findApplicationOfRun } from './store.ts'

/** How many builds one transaction moves. */
const batchSize = 100
/** How many transactions a job makes before others of the queue have their turn. */
const batchesOfTurn = 50

type Context = Pick<AppContext, 'db' | 'config' | 'jobs'>

/**
 * Carries out a run. First all candidates get a line, judged at the time when the run began; then the lines are worked
 * off in the order of ids. What is written down is all that a run knows, so another process can go on after any
 * transaction.
 */
export function createRetentionRunner(context: Context): JobHandler<'run-retention'> {
  return {
    isRecurring: true,
    async run({ runId }, stopping) {
      const run = await findRun(context.db, runId)
      const application = run && (await findApplicationOfRun(context.db, run.application_id))
      if (!run || !application || run.state !== 'running') return undefined
      const settings = parseJsonText(run.settings)
      if (run.is_judged === 0 && !(await writeCandidates(context, run, application, settings, stopping))) {
        return Date.now()
      }
      for (let count = 0; count < batchesOfTurn; count++) {
        if (stopping.aborted) return Date.now()
        const isMore = await transact(context.db, (trx) => moveBatch(trx, context, runId, settings))
        context.jobs.wake()
        if (!isMore) return undefined
      }
      return Date.now()
    },
  }
}

/** Returns whether all candidates are written. A process that began earlier may have written some of them. */
async function writeCandidates(
  { db }: Context,
  run: RunRow,
  application: { id: number; default_branch: string },
  settings: RunSettings,
  stopping: AbortSignal,
): Promise<boolean> {
  for await (const taken of judgeApplication({ db }, application, settings, run.started_at)) {
    if (stopping.aborted) return false
    const candidates = taken.filter(({ keptBy }) => keptBy === null)
    await insertLines(
      db,
      candidates.map(({ build, rule }) => ({
        run_id: run.id,
        build_id: build.id,
        short_version: build.shortVersion,
        version: build.version,
        branch: build.branch,
        size: build.size,
        rule,
        state: 'waiting' as const,
      })),
    )
  }
  await transact(db, async (trx) => {
    const locked = await lockRun(trx, run.id, ['running'])
    if (!locked || locked.is_judged === 1) return
    await updateRun(trx, run.id, { is_judged: 1, candidate_count: await countLines(trx, run.id) })
  })
  return true
}

/**
 * Moves the next builds of a run to the trash, each judged again. Returns whether there may be more; a run that was
 * undone meanwhile has none.
 */
async function moveBatch(trx: Db, context: Context, runId: number, settings: RunSettings): Promise<boolean> {
  const known = await findRun(trx, runId)
  if (!known) return false
  // The application is locked before the run, as wherever builds come and go, so that no two transactions wait for
  // each other.
  const application = await lockApplication(trx, known.application_id)
  const run = await lockRun(trx, runId, ['running'])
  if (!application || !run) return false
  const lines = await listNextLines(trx, runId, run.position, batchSize)
  const last = lines.at(-1)
  if (!last) {
    await finishRun(trx, context, run)
    return false
  }
  const ids = lines.map((line) => line.build_id)
  const given = { settings, now: run.started_at, defaultBranch: application.default_branch }
  const spared = await findSpared(trx, application.id, ids, given)
  const moved = new Set(
    await moveToTrash(trx, {
      applicationId: application.id,
      runId,
      ids: ids.filter((id) => !spared.has(id)),
      now: Date.now(),
    }),
  )
  await tellOfMoved(trx, run, [...moved])
  await updateLines(trx, runId, [...moved], 'trashed')
  await updateLines(
    trx,
    runId,
    ids.filter((id) => !moved.has(id)),
    'spared',
  )
  const bytes = lines.reduce((sum, line) => sum + (moved.has(line.build_id) ? line.size : 0), 0)
  await updateRun(trx, runId, {
    position: last.build_id,
    trashed_count: run.trashed_count + moved.size,
    spared_count: run.spared_count + ids.length - moved.size,
    trashed_bytes: run.trashed_bytes + bytes,
  })
  return true
}

async function tellOfMoved(trx: Db, run: RunRow, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tellHooks(trx, toEvent(run, 'build.deleted'), async () =>
    (await listTrashedBuilds({ db: trx }, ids)).map((build) => toBuildFacts(build, { reason: 'retention' })),
  )
}

function toEvent(run: RunRow, type: 'build.deleted' | 'retention.finished') {
  return { type, workspaceId: run.workspace_id, applicationId: run.application_id }
}

async function finishRun(trx: Db, { config }: Context, run: RunRow): Promise<void> {
  const now = Date.now()
  await updateRun(trx, run.id, { state: 'done', finished_at: now })
  const { id: retentionRunId, trashed_count: trashedCount, trashed_bytes: trashedBytes } = run
  await tellHooks(trx, toEvent(run, 'retention.finished'), () => ({
    data: { retentionRunId, trashedCount, trashedBytes },
  }))
  if (config.trashDays > 0 || run.trashed_count === 0) return
  const payload = { applicationId: run.application_id, before: now }
  await enqueueJobs(trx, [{ kind: 'empty-trash', payload }])
}
