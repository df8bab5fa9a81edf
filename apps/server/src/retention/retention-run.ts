import { ApiError, type RetentionRun, type RetentionRunBuild } from '@fairlead/contract'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { dayMs } from './judge.ts'
import { findRunOfWorkspace, type RunRow } from './run-store.ts'

/** Until when a run can be undone, in epoch milliseconds; null while it is running, and once it is undone. */
export function undoableUntil(run: Pick<RunRow, 'state' | 'finished_at'>, { trashDays }: Pick<Config, 'trashDays'>) {
  return run.state === 'done' && run.finished_at !== null ? run.finished_at + trashDays * dayMs : null
}

export function toRunBuild(line: Row<'retention_lines'>): RetentionRunBuild {
  const { build_id: id, short_version: shortVersion, version, branch, size, rule, state } = line
  return { id, shortVersion, version, branch, size, rule, state }
}

export function toRetentionRun(run: RunRow, config: Pick<Config, 'trashDays'>): RetentionRun {
  const until = undoableUntil(run, config)
  return {
    id: run.id,
    applicationId: run.application_id,
    trigger: run.trigger,
    state: run.state,
    candidateCount: run.candidate_count,
    trashedCount: run.trashed_count,
    sparedCount: run.spared_count,
    trashedBytes: run.trashed_bytes,
    restoredCount: run.restored_count,
    startedDate: toInstant(run.started_at),
    finishedDate: run.finished_at === null ? null : toInstant(run.finished_at),
    undoUntilDate: until === null ? null : toInstant(until),
  }
}

/** @throws {ApiError} retentionRunNotFound */
export async function requireRun({ db }: Pick<AppContext, 'db'>, workspaceId: number, id: number): Promise<RunRow> {
  const run = await findRunOfWorkspace(db, workspaceId, id)
  if (!run) throw new ApiError('retentionRunNotFound')
  return run
}
