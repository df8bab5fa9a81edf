import type { JobHandler } from '../jobs/job.ts'
import type { CrashContext } from './find-crashes.ts'
import { judgeRun } from './judge.ts'
import { enqueueOwnersOfNew } from './owners.ts'
import { enqueueCrashReading, readCrashesOfRun } from './read-crashes.ts'
import { hasAllShards } from './run.ts'
import { findRunRow, lockRun, requireRunRow, updateRun } from './run-store.ts'
import { updateTests } from './update-tests.ts'

/** A run that got no report for this long is complete. */
export const quietMs = 60 * 60_000

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
    await judgeRun(trx, await lockRun(trx, runId))
    await updateRun(trx, runId, { has_moved: 0 })
  })
  await updateTests(db, runId)
  await enqueueOwnersOfNew(db, (await requireRunRow(db, runId)).application_id)
}

/** Creates the job that completes a run after its last shard or after `quietMs`, even if a process dies meanwhile. */
export function createRunCompleter(context: CrashContext): JobHandler<'complete-test-run'> {
  return {
    async run({ runId }) {
      const run = await findRunRow(context.db, runId)
      if (!run || run.report_count === 0) return undefined
      if (run.state === 'complete') {
        await updateTests(context.db, runId)
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
