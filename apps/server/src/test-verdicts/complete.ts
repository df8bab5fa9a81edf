import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { CrashContext } from '../test-failures/find-crashes.ts'
import { judgeRun } from './judge.ts'
import { enqueueOwnersOfNew } from '../test-history/owners.ts'
import { enqueueCrashReading, readCrashesOfRun } from './read-crashes.ts'
import { hasAllShards, leftAloneMs, quietMs, Unfinished } from '../test-results/run.ts'
import { findRunRow, lockRun, markFinished, requireRunRow, updateRun } from '../test-results/run-store.ts'
import { tellOfRun } from './tell-of-run.ts'
import { updateTests } from '../test-history/update-tests.ts'

/** How long reading crashes may delay the completion of a run; a job reads the rest. */
const readingMs = 10_000

/**
 * Completes a run and judges it; a run that is complete already is judged again, because another report has arrived.
 */
export async function completeRun(context: CrashContext, runId: number): Promise<void> {
  const { db } = context
  const areRead = await readCrashesOfRun(context, runId, AbortSignal.timeout(readingMs))
  if (!areRead) await enqueueCrashReading(db, (await requireRunRow(db, runId)).application_id)
  await db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, runId)
    await judgeRun(trx, run)
    await tellOfRun(trx, run)
    await updateRun(trx, runId, { has_moved: 0, unfinished: Unfinished.tests })
    await enqueueJobs(trx, [
      {
        kind: 'complete-test-run',
        key: `complete-test-run ${runId}`,
        payload: { runId },
        runAt: Date.now() + leftAloneMs,
      },
    ])
  })
  await finishTests(db, runId)
}

/** Brings the tests of a judged run up to date. */
async function finishTests(db: Db, runId: number): Promise<void> {
  const run = await requireRunRow(db, runId)
  await updateTests(db, runId)
  await enqueueOwnersOfNew(db, run.application_id)
  await markFinished(db, run)
}

/** Creates the job that completes a run after its last shard or after `quietMs`, even if a process dies meanwhile. */
export function createRunCompleter(context: CrashContext): JobHandler<'complete-test-run'> {
  return {
    async run({ runId }) {
      const run = await findRunRow(context.db, runId)
      if (!run || run.report_count === 0) return undefined
      if (run.state === 'complete') {
        if (run.unfinished === Unfinished.judgement) await completeRun(context, runId)
        else if (run.unfinished === Unfinished.tests) await finishTests(context.db, runId)
        return undefined
      }
      const hasShards = run.shards_expected !== null && hasAllShards(run)
      const dueAt = run.updated_at + quietMs
      if (!hasShards && dueAt > Date.now()) return dueAt
      await completeRun(context, runId)
      return undefined
    },
  }
}
