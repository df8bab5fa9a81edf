/** Deletes old data run by run: first attachments, later results and reports. The daily counts of tests stay. */
import { releaseBlobs, removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import {
  deleteAttachments,
  deletePassedAttachments,
  deleteResults,
  listRunsOfStage,
  setStage,
} from './retention-store.ts'

const day = 24 * 60 * 60 * 1000
/** The stages of a run's life, in the order of `test_runs.retention`. */
const stages = [
  { ageMs: 14 * day, drop: deletePassedAttachments },
  { ageMs: 90 * day, drop: deleteAttachments },
  { ageMs: 180 * day, drop: deleteResults },
] as const

/** How many runs are read at once. */
const batchSize = 100

/**
 * Deletes attachments of passed cases after 14 days, all attachments after 90, and results and reports after 180. The
 * run stays with its counts and its verdict, and the days of its tests with theirs. Returns how many runs were changed.
 */
export async function deleteOldTestResults(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0
  for (const [stage, { ageMs, drop }] of stages.entries()) {
    while (!signal.aborted) {
      const runs = await listRunsOfStage(context.db, stage, now - ageMs, batchSize)
      for (const runId of runs) {
        if (signal.aborted) return changed
        const keys = await context.blobs.reserve.delete(() =>
          transact(context.db, async (trx) => {
            const removed = await releaseBlobs(trx, await drop(trx, runId))
            await setStage(trx, runId, stage + 1)
            return removed
          }),
        )
        await removeKeys(context, keys)
        changed++
      }
      if (runs.length < batchSize) break
    }
  }
  return changed
}
