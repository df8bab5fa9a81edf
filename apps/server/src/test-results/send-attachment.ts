import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { sendBlob } from '../http/send-blob.ts'
import { findAttachment } from './attachment-store.ts'

/** Types that a browser shows without running scripts. Every other type is sent as a file to be saved. */
const shownTypes = /^(image\/(png|jpeg|gif|webp)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|ogg|wav))$/
const textTypes = /^(text\/|application\/(json|xml|x-ndjson)|image\/svg)/

/**
 * Sends an attachment, or a range of it. A file that could carry scripts is sent as plain text or to be saved, because
 * its bytes come from outside.
 *
 * @throws {ApiError} testAttachmentNotFound, rangeNotSatisfiable
 */
export async function sendAttachment(
  context: Pick<AppContext, 'db' | 'blobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
): Promise<FastifyReply> {
  const row = await findAttachment(context.db, request.caller.workspaceId, id)
  if (!row) throw new ApiError('testAttachmentNotFound')
  reply.header('content-security-policy', "default-src 'none'; sandbox")
  const fileName = row.name.split(/[\\/]/).at(-1)?.slice(0, 200) || 'attachment'
  const { key, sha256, size } = row
  const type = row.content_type?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (shownTypes.test(type)) return sendBlob(context.blobs, request, reply, { key, sha256, size, contentType: type })
  const contentType = textTypes.test(type) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  return sendBlob(context.blobs, request, reply, { key, sha256, size, contentType, fileName })
}
