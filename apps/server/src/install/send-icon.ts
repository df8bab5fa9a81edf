import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findBlob, isDeletedMeanwhile } from '../blobs/records.ts'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import { sendBlob } from '../http/send-blob.ts'

/**
 * Sends the icon of a build.
 *
 * @param cacheControl an address that shows the icon of one build for ever may be kept for ever
 */
export async function sendIcon(
  { db, blobs }: Pick<AppContext, 'db' | 'blobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  build: BuildRecord | undefined,
  cacheControl = 'public, max-age=31536000, immutable',
): Promise<FastifyReply> {
  if (!build || build.icon_blob_id === null) throw new ApiError('notFound')
  const blob = await findBlob(db, build.icon_blob_id)
  if (!blob) throw new ApiError('notFound')
  reply.header('cache-control', cacheControl)
  reply.header('content-security-policy', "default-src 'none'; sandbox")
  try {
    return await sendBlob(blobs, request, reply, { ...blob, contentType: build.icon_type ?? 'image/png' })
  } catch (error) {
    if (!(await isDeletedMeanwhile(db, build.icon_blob_id, error))) throw error
    throw new ApiError('notFound', { cause: error })
  }
}
