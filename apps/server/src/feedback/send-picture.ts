import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findBlob, isDeletedMeanwhile } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { sendBlob } from '../http/send-blob.ts'
import type { FeedbackRecord } from './feedback.ts'

/**
 * Sends a picture that a stranger made: with the type that was found, and so that a browser does nothing with it but
 * show it.
 *
 * @param number from 1
 * @throws {ApiError} notFound
 */
export async function sendPicture(
  { db, blobs }: Pick<AppContext, 'db' | 'blobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  feedback: FeedbackRecord,
  number: number,
): Promise<FastifyReply> {
  const picture = feedback.pictures.find((one) => one.number === number)
  const blob = picture && (await findBlob(db, picture.blob_id))
  if (!picture || !blob) throw new ApiError('notFound')
  const contentType = picture.content_type
  const extension = contentType === 'image/jpeg' ? 'jpg' : contentType.slice('image/'.length)
  reply
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `inline; filename="feedback-${feedback.id}-${number}.${extension}"`)
  try {
    return await sendBlob(blobs, request, reply, { ...blob, contentType })
  } catch (error) {
    if (!(await isDeletedMeanwhile(db, picture.blob_id, error))) throw error
    throw new ApiError('notFound', { cause: error })
  }
}
