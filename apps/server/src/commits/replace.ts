import { ApiError, type BuildCommits } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import type { BuildRecord } from '../builds/build.ts'
import type { CommitList, CommitListRequest } from '../commit-lists/commit-list.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { toBuildCommits } from './build-commits.ts'
import { hasBuild, replaceCommitRows } from './store.ts'

/**
 * Replaces the commits of a build with those of a request's body.
 *
 * @throws {ApiError} malformedJson, invalidRequest, tooManyCommits, damagedEncoding, tooLarge, buildNotFound
 */
export async function replaceCommits(
  { db, readers }: Pick<AppContext, 'db' | 'readers'>,
  build: Pick<BuildRecord, 'id' | 'workspace_id' | 'application_id'>,
  request: CommitListRequest,
  signal: AbortSignal,
): Promise<BuildCommits> {
  const list = await readList(readers, request, { turnKey: String(build.workspace_id), signal })
  return transact(db, async (trx) => {
    // Two requests for one build would otherwise both delete the old rows and then insert the same ones.
    const application = await lockApplication(trx, build.application_id)
    if (!application || !(await hasBuild(trx, build.id))) throw new ApiError('buildNotFound')
    return toBuildCommits(await replaceCommitRows(trx, build.id, list, Date.now()))
  })
}

async function readList(
  { commits }: AppContext['readers'],
  request: CommitListRequest,
  turn: { turnKey: string; signal: AbortSignal },
): Promise<CommitList> {
  const answer = await commits.read(request, turn).catch(refuseWhenFull)
  if ('list' in answer) return answer.list
  throw new ApiError(answer.fault, { faults: answer.faults })
}
