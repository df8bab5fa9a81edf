import { ApiError } from '@fairlead/contract'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { RunSettings } from '../db/schema/retention.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { insertRun, type RunRow } from './run-store.ts'

/**
 * Starts a run of some rules; a job carries it out. An index of the database sees to it that one application has one
 * run at a time.
 *
 * @throws {ApiError} retentionRunning
 */
export async function startRun(
  trx: Db,
  application: { id: number; workspace_id: number },
  { rules, keepDistributedDays, quietBranchDays }: RunSettings,
  trigger: RunRow['trigger'],
): Promise<RunRow> {
  try {
    const run = await insertRun(trx, {
      workspace_id: application.workspace_id,
      application_id: application.id,
      trigger,
      state: 'running',
      settings: toJsonText({ rules, keepDistributedDays, quietBranchDays }),
      started_at: Date.now(),
    })
    await enqueueJobs(trx, [toRunJob(run.id)])
    return run
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('retentionRunning', { cause: error }) : error
  }
}

export function toRunJob(runId: number) {
  return { kind: 'run-retention' as const, key: `run-retention ${runId}`, payload: { runId } }
}
