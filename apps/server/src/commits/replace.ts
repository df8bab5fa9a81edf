import { ApiError, type BuildCommits } from '@fairlead/contract'
import { invariant } from '@fairlead/invariant'
import { lockApplication } from '../applications/find.ts'
import type { BuildRecord } from '../builds/build.ts'
import type { CommitListRequest } from '../commit-lists/commit-list.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { readCommitList } from '../release-commits/read-list.ts'
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
  request: Omit<CommitListRequest, 'form'>,
  signal: AbortSignal,
): Promise<BuildCommits> {
  const turn = { turnKey: String(build.workspace_id), signal }
  const list = await readCommitList(readers, { ...request, form: 'build' }, turn)
  invariant(list !== null, 'a list of the API has a head')
  return transact(db, async (trx) => {
    // Two requests for one build would otherwise both delete the old rows and then insert the same ones.
    const application = await lockApplication(trx, build.application_id)
    if (!application || !(await hasBuild(trx, build.id))) throw new ApiError('buildNotFound')
    return toBuildCommits(await replaceCommitRows(trx, build.id, list, Date.now()))
  })
}
