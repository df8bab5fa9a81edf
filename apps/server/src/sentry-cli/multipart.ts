/**
 * Reads the parts of a chunk upload: `multipart/form-data` with a part `file` or `file_gzip` for each chunk, whose file
 * name is the SHA-1 of the plain chunk.
 */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { ApiError } from '@fairlead/contract'
import { chunkBytes, maxChunks } from './limits.ts'

export interface Chunk {
  sha1: string
  bytes: Buffer
}

const longestHeader = 2000

/** @throws {ApiError} invalidRequest, tooLarge, damagedEncoding */
export function parseChunks(body: Buffer, contentType: string): Chunk[] {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType)
  const text = boundary?.[1] ?? boundary?.[2]
  if (text === undefined) throw refuse('Content-Type', 'names no boundary')
  const delimiter = Buffer.from(`\r\n--${text}`)
  // The first delimiter has no line end before it, so one is put there.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const chunks: Chunk[] = []
  let at = whole.indexOf(delimiter)
  while (at >= 0) {
    const start = at + delimiter.length
    if (whole.subarray(start, start + 2).toString('latin1') === '--') return chunks
    at = whole.indexOf(delimiter, start)
    if (at < 0) break
    if (chunks.length === maxChunks) throw new ApiError('tooLarge', { detail: `More than ${maxChunks} chunks` })
    chunks.push(parsePart(whole.subarray(start, at)))
  }
  throw refuse('body', 'has no closing boundary')
}

function parsePart(part: Buffer): Chunk {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0 || end > longestHeader) throw refuse('body', 'has a part without a header')
  const header = part.toString('latin1', 0, end)
  const name = /[;\s]name="(file|file_gzip)"/i.exec(header)?.[1]?.toLowerCase()
  const sha1 = /[;\s]filename="([0-9a-f]{40})"/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined || sha1 === undefined) throw refuse('body', 'has a part that is no chunk')
  const bytes = name === 'file' ? Buffer.from(part.subarray(end + 4)) : unzip(part.subarray(end + 4))
  if (bytes.length > chunkBytes) throw new ApiError('tooLarge', { detail: 'A chunk is over the limit' })
  if (createHash('sha1').update(bytes).digest('hex') !== sha1) throw refuse('body', 'has a chunk with another SHA-1')
  return { sha1, bytes }
}

function unzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: chunkBytes })
  } catch (cause) {
    throw new ApiError(cause instanceof RangeError ? 'tooLarge' : 'damagedEncoding', { cause })
  }
}

function refuse(source: string, detail: string): ApiError {
  return new ApiError('invalidRequest', { detail: `The ${source} ${detail}`, faults: [{ source, detail }] })
}
