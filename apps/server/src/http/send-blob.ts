import { ApiError } from '@fairlead/contract'
import { create as createDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { BlobStore, ByteRange } from '../blobs/blob-store.ts'

export interface SentBlob {
  key: string
  sha256: string
  size: number
  contentType: string
  /** Given, the browser saves the file under this name. */
  fileName?: string
}

/** Whether an answer starts at the first byte of a file, which is how downloads are counted once. */
export function startsAtZero(request: FastifyRequest, size: number): boolean {
  if (request.method !== 'GET') return false
  const range = readRange(request, size, '')
  return range === undefined || range.start === 0
}

/**
 * Sends a blob, or the part of it that was asked for: exact length, strong ETag, 206, 304, 416, HEAD.
 * The bytes of a key never change, so the digest is the ETag.
 */
export async function sendBlob(
  blobs: BlobStore,
  request: FastifyRequest,
  reply: FastifyReply,
  blob: SentBlob,
): Promise<FastifyReply> {
  const etag = `"${blob.sha256}"`
  reply.header('etag', etag).header('accept-ranges', 'bytes').header('x-content-type-options', 'nosniff')
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    return reply.code(304).send()
  }
  const range = readRange(request, blob.size, etag)
  reply.type(blob.contentType)
  if (blob.fileName !== undefined) reply.header('content-disposition', createDisposition(blob.fileName))
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : blob.size)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(await blobs.read(blob.key, range))
}

/** Undefined sends the whole: no range, several of them, one that is malformed, or one of another version. */
function readRange(request: FastifyRequest, size: number, etag: string): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(size, range)
  if (ranges === -1) throw new ApiError('rangeNotSatisfiable', { headers: { 'content-range': `bytes */${size}` } })
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}
