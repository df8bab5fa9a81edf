/** Judges complete runs again when symbols that came late have moved their failures to other groups. */
import type { Db } from '../db/open.ts'
import { judgeRun } from './judge.ts'
import { findMovedRun, markComparedRuns } from '../test-failures/regroup-store.ts'
import { lockRun, updateRun } from '../test-results/run-store.ts'
import { updateTests } from '../test-history/update-tests.ts'

/** The most runs that are judged again at once; the job takes the others in its next turn. */
const maxRuns = 50

/**
 * Judges the marked runs of an application again, oldest first, because a run is compared with an earlier one. Each
 * keeps its base, and is judged by the flips and quarantines of the time when it was judged before. Returns whether all
 * are done.
 */
export async function judgeMovedRuns(db: Db, applicationId: number, signal: AbortSignal): Promise<boolean> {
  for (let count = 0; count < maxRuns; count++) {
    const runId = await findMovedRun(db, applicationId)
    if (runId === undefined) return true
    if (signal.aborted) return false
    const isChanged = await db.transaction().execute(async (trx) => {
      const run = await lockRun(trx, runId)
      if (run.has_moved === 1) await markComparedRuns(trx, runId, maxRuns)
      return judgeRun(trx, run, Math.max(run.completed_at ?? 0, run.updated_at))
    })
    if (isChanged) await updateTests(db, runId)
    await updateRun(db, runId, { has_moved: 0 })
  }
  return false
}
