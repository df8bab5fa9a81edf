import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { FeedbackRecord } from './feedback.ts'
import { findFeedbackRecord } from './store.ts'

/** @throws {ApiError} feedbackNotFound */
export async function requireFeedback(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<FeedbackRecord> {
  const feedback = await findFeedbackRecord(db, workspaceId, id)
  if (!feedback) throw new ApiError('feedbackNotFound')
  return feedback
}
