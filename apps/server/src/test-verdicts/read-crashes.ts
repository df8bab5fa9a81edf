/**
 * Reads the crashes and stack traces of failures with the stored symbols, so that failures are grouped by
 * source names and runs can name their crashes. This happens when a run completes, and again when symbols are uploaded.
 */
import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { takeGroup } from '../test-results/case-id-store.ts'
import { type CrashDescription, describeCrash } from '../test-failures/describe-crash.ts'
import type { FailureRow } from '../test-failures/failure-store.ts'
import { type CrashContext, findCrashes, readFailureContents } from '../test-failures/find-crashes.ts'
import { toFailureGroupKey } from '../test-results/group-key.ts'
import { toProductKeyOfCrash } from '../test-results/product-frames.ts'
import { judgeMovedRuns } from './judge-again.ts'
import {
  hideEmptyGroups,
  listRunsWithTraces,
  listTracedFailures,
  moveFailures,
  readTestNames,
} from '../test-failures/regroup-store.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { requireRunRow } from '../test-results/run-store.ts'

/**
 * The most failures of a run that are read. If only the failure text holds a trace, one is read for its whole group.
 */
const maxFailures = 200
/** The most runs that are read again when symbols are uploaded, newest first. */
const maxRuns = 50

/** Reads the crashes of a run. Returns whether all could be read now. */
export async function readCrashesOfRun(context: CrashContext, runId: number, signal: AbortSignal): Promise<boolean> {
  const run = await requireRunRow(context.db, runId)
  const failures = await listTracedFailures(context.db, runId, maxFailures)
  for (const row of failures) {
    if (signal.aborted) return false
    try {
      await readCrashesOfFailure(context, run, row, signal)
    } catch (error) {
      if (signal.aborted) return false
      // The worker processes that read reports are busy, so a job reads the rest.
      if (error instanceof ApiError && (error.code === 'tooManyRequests' || error.code === 'overloaded')) return false
      throw error
    }
  }
  return true
}

async function readCrashesOfFailure(
  context: CrashContext,
  run: TestRunRow,
  row: FailureRow,
  signal: AbortSignal,
): Promise<void> {
  const contents = await readFailureContents(context, row)
  const found = await findCrashes(context, run, contents, signal)
  const described = found.map((crash) => ({ source: crash.source, ...describeCrash(crash) }))
  const crash = described.find(({ title }) => title !== null)
  const trace = crash ?? described.find(({ source }) => source === 'failure')
  const group = trace && (crash !== undefined || trace.isResolved) ? toGroup(row, trace) : null
  await context.db.transaction().execute(async (trx) => {
    const groupId = group === null ? row.group_id : await takeGroup(trx, run.application_id, group)
    const productKey =
      group === null || !trace ? undefined : toProductKeyOfCrash(trace, trace.frames, await readTestNames(trx, row))
    await moveFailures(trx, run, row, { groupId, crashTitle: crash?.title ?? null, productKey })
    if (groupId !== row.group_id && row.group_id !== null) await hideEmptyGroups(trx, [row.group_id])
  })
}

/** Finds the group of a failure by the frames of its crash. The message of the crash replaces that of the test tool. */
function toGroup(row: FailureRow, { type, message, frames, title }: CrashDescription) {
  const isCrash = title !== null
  return toFailureGroupKey({
    type: type ?? row.type,
    message: isCrash ? message : (message ?? row.message),
    details: null,
    frames,
  })
}

/** Enqueues a job that reads the newest runs of an application again. */
export async function enqueueCrashReading(trx: Db, applicationId: number): Promise<void> {
  await enqueueJobs(trx, [
    { kind: 'read-test-crashes', key: `read-test-crashes ${applicationId}`, payload: { applicationId } },
  ])
}

/** How long the job waits while the processes that read reports are busy. */
const busyMs = 10_000

/**
 * Creates the job that reads the crashes of an application's newest runs again after an upload of symbols, and then
 * judges those again whose failures moved to other groups.
 */
export function createTestCrashReader(
  context: CrashContext & Pick<AppContext, 'jobs'>,
): JobHandler<'read-test-crashes'> {
  return {
    async run({ applicationId }, signal) {
      for (const runId of await listRunsWithTraces(context.db, applicationId, maxRuns)) {
        if (!(await readCrashesOfRun(context, runId, signal))) return Date.now() + busyMs
      }
      return (await judgeMovedRuns(context.db, applicationId, signal)) ? undefined : Date.now()
    },
  }
}
