import { ApiError } from '@fairlead/contract'
import type { CommitList, CommitListRequest } from '../commit-lists/commit-list.ts'
import type { AppContext } from '../context.ts'
import { refuseWhenFull } from '../http/queue-full.ts'

/**
 * Reads commits from the body of a request in a process. Null if there is none with a hash.
 *
 * @throws {ApiError} malformedJson, invalidRequest, tooManyCommits, damagedEncoding, tooLarge, overloaded
 */
export async function readCommitList(
  { commits }: AppContext['readers'],
  request: CommitListRequest,
  turn: { turnKey: string; signal: AbortSignal },
): Promise<CommitList | null> {
  const answer = await commits.read(request, turn).catch(refuseWhenFull)
  if ('list' in answer) return answer.list
  throw new ApiError(answer.fault, { faults: answer.faults })
}
