import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import { create as createDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { toBlobPath } from '../blobs/blob-path.ts'
import type { BlobStore, ByteRange } from '../blobs/blob-store.ts'
import type { Delivery } from '../settings/delivery.ts'

export interface SentBlob {
  key: string
  sha256: string
  size: number
  contentType: string
  /** When given, the browser saves the file under this name. */
  fileName?: string
  /** Whether the client can follow a redirect to the object store without sending its credentials there. */
  mayRedirect?: boolean
}

/** A presigned URL is used at once, but a phone may pause its download and resume it hours later. */
const presignedSeconds = 6 * 60 * 60

/** A range shorter than this is a probe, as download managers send before the real download. */
const probeSize = 1024

/** Tells whether a request starts a download, so that a file fetched in parts or resumed is counted once. */
export function startsDownload(request: FastifyRequest, { size, sha256 }: Pick<SentBlob, 'size' | 'sha256'>): boolean {
  if (request.method !== 'GET' || isKnown(request, toEtag(sha256))) return false
  const range = readRange(request, size, toEtag(sha256))
  return range === undefined || (range.start === 0 && range.end >= Math.min(size, probeSize) - 1)
}

/**
 * Sends a blob or a range of it, with exact length, strong ETag, 206, 304, 416 and HEAD. The bytes of a key never
 * change, so the digest is the ETag.
 */
export async function sendBlob(
  blobs: BlobStore & { delivery: Delivery },
  request: FastifyRequest,
  reply: FastifyReply,
  blob: SentBlob,
): Promise<FastifyReply> {
  const etag = toEtag(blob.sha256)
  reply.header('etag', etag).header('accept-ranges', 'bytes').header('x-content-type-options', 'nosniff')
  if (isKnown(request, etag)) return reply.code(304).send()
  reply.type(blob.contentType)
  const contentDisposition = blob.fileName === undefined ? undefined : createDisposition(blob.fileName)
  if (contentDisposition !== undefined) reply.header('content-disposition', contentDisposition)
  // Icons are small and many, so they are never worth another round trip.
  if (blob.fileName !== undefined && blobs.delivery.kind === 'frontServer') {
    return reply.header(blobs.delivery.header, blobs.delivery.prefix + toBlobPath(blob.key)).send()
  }
  // A presigned URL is valid for GET only, so the server answers HEAD itself.
  if (blob.mayRedirect === true && blobs.delivery.kind === 'redirect' && request.method === 'GET') {
    const { contentType } = blob
    const url = await blobs.presign?.(blob.key, { contentType, contentDisposition, expiresInSeconds: presignedSeconds })
    if (url !== undefined) return reply.header('cache-control', 'no-store').redirect(url, 302)
  }
  const range = readRange(request, blob.size, etag)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : blob.size)
  // Without a payload, Fastify would send Content-Length: 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  await using source = await blobs.openSource(blob.key)
  reply.hijack()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify names its headers, Node does not
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    if (blob.size > 0) await source.writeTo(reply.raw, range ?? { start: 0, end: blob.size - 1 })
    reply.raw.end()
  } catch {
    // Content-Length is already sent, so the connection is closed to show that the answer is incomplete.
    reply.raw.destroy()
  }
  return reply
}

function toEtag(sha256: string): string {
  return `"${sha256}"`
}

/** Tells whether the client's cached copy is current. */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

/**
 * Returns the requested range, or undefined to send the whole file: for no range, several, a malformed one, or an
 * If-Range of another version.
 */
function readRange(request: FastifyRequest, size: number, etag: string): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers
  // Range requests are defined for GET only.
  if (request.method !== 'GET') return undefined
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(size, range)
  if (ranges === -1) throw new ApiError('rangeNotSatisfiable', { headers: { 'content-range': `bytes */${size}` } })
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}
