/** Main module of a commit reader's process. */
import { answerRequests } from '@fairlead/workers'
import type { CommitListAnswer, CommitListRequest } from './commit-list.ts'
import { readCommitList } from './read-commit-list.ts'

answerRequests(async (request: CommitListRequest): Promise<CommitListAnswer> => readCommitList(request))
