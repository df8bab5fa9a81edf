import { ApiError } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import { releaseBlobs, removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { requireFeedback } from './find.ts'
import { deleteFeedback } from './store.ts'

/**
 * Deletes feedback with its pictures.
 *
 * @throws {ApiError} feedbackNotFound
 */
export async function removeFeedback(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  workspaceId: number,
  id: number,
): Promise<void> {
  const keys = await context.blobs.reserve.delete(() =>
    transact(context.db, async (trx) => {
      const feedback = await requireFeedback({ db: trx }, workspaceId, id)
      // The deletion of its build would release the same pictures.
      await lockApplication(trx, feedback.application_id)
      const blobs = await deleteFeedback(trx, feedback)
      if (!blobs) throw new ApiError('feedbackNotFound')
      return releaseBlobs(trx, blobs)
    }),
  )
  await removeKeys(context, keys)
}
