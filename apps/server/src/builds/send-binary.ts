import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findBlob, isDeletedMeanwhile } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { sendBlob, startsDownload } from '../http/send-blob.ts'
import { binaryType } from './binary-type.ts'
import type { BuildRecord } from './build.ts'
import { type CountedInstall, countInstall } from './count-install.ts'

export interface BinaryAnswer {
  /** The file name for the browser's download. */
  fileName: string
  /** Recorded if the response is the beginning of a download; null for one that counts as no install. */
  install: CountedInstall | null
  /** Whether the answer may be a redirect to the object store: never for a client that would send its token there. */
  mayRedirect: boolean
}

/**
 * Sends the binary of a build, or the requested range of it, and counts the download.
 *
 * @throws {ApiError} buildNotFound if the build was deleted in the meantime, rangeNotSatisfiable
 */
export async function sendBinary(
  context: Pick<AppContext, 'db' | 'blobs' | 'installs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  build: BuildRecord,
  { fileName, install, mayRedirect }: BinaryAnswer,
): Promise<FastifyReply> {
  const blob = await findBlob(context.db, build.blob_id)
  if (!blob) throw new ApiError('buildNotFound')
  if (install && startsDownload(request, build)) countInstall(context, build.id, install)
  const contentType = binaryType[build.platform]
  try {
    return await sendBlob(context.blobs, request, reply, { ...blob, contentType, fileName, mayRedirect })
  } catch (error) {
    if (!(await isDeletedMeanwhile(context.db, build.blob_id, error))) throw error
    throw new ApiError('buildNotFound', { cause: error })
  }
}
