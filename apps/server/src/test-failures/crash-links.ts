/**
 * Links failures of tests with crashes of the app: both have the same exception, and the innermost frame of the app is
 * in the same method. Failures are grouped by more than that, so several groups of failures may match one crash group.
 */
import { ApiError, type CrashGroup, type CrashTestFailure } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireCrashGroup } from '../crash-groups/find.ts'
import { toInstant } from '../http/instant.ts'
import { findCrashGroupIds, findFailureSignature, listFailuresLike } from './crash-link-store.ts'

type Context = Pick<AppContext, 'db'>

/** Lists the newest failures of tests that fail as a crash group does. @throws {ApiError} crashGroupNotFound */
export async function listFailuresOfCrashGroup(
  { db }: Context,
  workspaceId: number,
  crashGroupId: number,
): Promise<CrashTestFailure[]> {
  const { applicationId, exceptionTypes, culprit } = await requireCrashGroup({ db }, workspaceId, crashGroupId)
  const type = exceptionTypes.at(-1)
  if (type === undefined || culprit === null) return []
  const rows = await listFailuresLike(db, { applicationId, type, frame: culprit })
  return rows.map(({ failure_id, test_id, name, run_id, created_at }) => ({
    failureId: failure_id,
    testId: test_id,
    testName: name,
    runId: run_id,
    runDate: toInstant(created_at),
  }))
}

/** Lists the crash groups that a failure of a test is like. @throws {ApiError} testFailureNotFound */
export async function listCrashGroupsOfFailure(
  { db }: Context,
  workspaceId: number,
  failureId: number,
): Promise<CrashGroup[]> {
  const failure = await findFailureSignature(db, workspaceId, failureId)
  if (!failure) throw new ApiError('testFailureNotFound')
  const { applicationId, type, frames } = failure
  const [frame] = frames
  if (type === null || frame === undefined) return []
  const ids = await findCrashGroupIds(db, { applicationId, type, frame })
  return Promise.all(ids.map((id) => requireCrashGroup({ db }, workspaceId, id)))
}
