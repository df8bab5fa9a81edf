/**
 * Failures: what is known about one, and which belong together.
 *
 * A failure keeps its texts in the compressed details of its report. `find-crashes.ts` finds traces in the texts and
 * attachments and resolves them with the symbols of the run's build; `regroup-store.ts` moves a failure to the group of
 * its resolved frames; `crash-links.ts` finds the crash groups of the same exception and method; `timeline.ts` puts
 * logs and messages of a failure in one order.
 *
 * Always true: a failure belongs to at most one group, and the totals of both groups change in the transaction in
 * which it moves.
 */
import { ApiError, type TestFailure } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { type FailureRow, findFailureRow } from './failure-store.ts'
import { type CrashContext, findCrashes, readFailureContents } from './find-crashes.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { requireRunOfWorkspace } from '../test-results/run-store.ts'

/**
 * Describes a failure with its texts, attachments and the crashes in them. Crashes are resolved at every request, so
 * symbols that are uploaded later are used at once.
 *
 * @throws {ApiError} testFailureNotFound
 */
export async function describeFailure(
  context: CrashContext,
  workspaceId: number,
  id: number,
  signal: AbortSignal,
): Promise<TestFailure> {
  const { row, run } = await requireFailure(context, workspaceId, id)
  const contents = await readFailureContents(context, row)
  const crashes = await findCrashes(context, run, contents, signal)
  return {
    id: row.id,
    runId: row.run_id,
    testId: row.test_id,
    groupId: row.group_id,
    type: row.type,
    message: row.message,
    place: row.file === null ? null : { file: row.file, line: row.line },
    attempts: contents.attempts,
    outputs: contents.outputs,
    attachments: contents.attachments.map(({ id: attachmentId, name, contentType, size, attempt }) => ({
      id: attachmentId,
      name,
      contentType,
      size,
      attempt,
    })),
    crashes: crashes.map(({ source, crash }) => ({ source, crash })),
    commit: run.commit_hash,
  }
}

/** @throws {ApiError} testFailureNotFound */
export async function requireFailure(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<{ row: FailureRow; run: TestRunRow }> {
  const row = await findFailureRow(db, id)
  if (!row) throw new ApiError('testFailureNotFound')
  const run = await requireRunOfWorkspace(db, workspaceId, row.run_id).catch(() => undefined)
  if (!run) throw new ApiError('testFailureNotFound')
  return { row, run }
}
