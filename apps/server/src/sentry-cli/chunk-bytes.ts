import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '@fairlead/contract'
import { requireKey } from '@fairlead/invariant'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Config } from '../config.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import type { StoredChunk } from '../symbols-files/chunks.ts'

interface Context {
  blobs: Pick<BlobStore, 'read'>
  config: Pick<Config, 'maxUploadBytes'>
}

/**
 * The file that chunks make up, as the body of an upload. The limit, the quota and the free space of the disk are asked
 * before a byte is copied.
 *
 * @throws {ApiError} tooLarge
 */
export function toUploadBody(
  context: Context,
  sha1: string,
  chunks: readonly string[],
  stored: ReadonlyMap<string, StoredChunk>,
): UploadBody {
  const size = chunks.reduce((sum, chunk) => sum + requireKey(stored, chunk).size, 0)
  if (size > context.config.maxUploadBytes) throw new ApiError('tooLarge')
  return { size, open: () => Readable.from(concatenate(context, sha1, chunks, stored), { objectMode: false }) }
}

/** The most chunks that are kept in memory because the file names them again. */
const maxKept = 8

async function* concatenate(
  { blobs }: Pick<Context, 'blobs'>,
  sha1: string,
  chunks: readonly string[],
  stored: ReadonlyMap<string, StoredChunk>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha1')
  const last = new Map(chunks.map((chunk, index) => [chunk, index]))
  const kept = new Map<string, Buffer>()
  for (const [index, chunk] of chunks.entries()) {
    const bytes = kept.get(chunk) ?? (await buffer(await blobs.read(requireKey(stored, chunk).key)))
    hash.update(bytes)
    if (last.get(chunk) === index) kept.delete(chunk)
    else if (kept.size < maxKept) kept.set(chunk, bytes)
    // The staging folder takes over the memory of each piece, so it gets a copy.
    yield Buffer.from(bytes)
  }
  if (hash.digest('hex') !== sha1) {
    throw new ApiError('unreadableSymbols', { detail: 'The chunks do not have the SHA-1 that was announced' })
  }
}
