import { ApiError, type TestFailure } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { type CrashContext, type FailureRow, findCrashes, readFailureContents } from './find-crashes.ts'
import type { TestRunRow } from './run.ts'
import { requireRunOfWorkspace } from './run-store.ts'

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
  const row = await db.selectFrom('test_failures').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError('testFailureNotFound')
  const run = await requireRunOfWorkspace(db, workspaceId, row.run_id).catch(() => undefined)
  if (!run) throw new ApiError('testFailureNotFound')
  return { row, run }
}
