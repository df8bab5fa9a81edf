import { Readable } from 'node:stream'
import { ApiError, type Build } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import { removeKeys } from '../blobs/records.ts'
import { StorageError } from '../blobs/storage-error.ts'
import { isMissing } from '../blobs/system-error.ts'
import { uploadBuild } from '../builds/upload.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Caller } from '../http/caller.ts'
import { deleteUploadWithParts } from './expire.ts'
import { listParts, type PartRow, setBuild, type UploadRow } from './store.ts'
import { readPieces } from '../blobs/byte-pieces.ts'

/** The store has its own limit on pauses, after which it is asked again; the limit of clients would end that. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Makes a build of an upload whose bytes have all arrived, as an upload by one request does. An upload that can never
 * become a build is deleted; after any other failure it stays.
 *
 * @param whole the file, if this request sent all of it
 * @throws {ApiError} as `uploadBuild` does
 */
export async function finishUpload(
  context: AppContext,
  caller: Caller,
  upload: UploadRow,
  signal: AbortSignal,
  whole?: StagedFile,
): Promise<Build> {
  const { blobs, db } = context
  const stage = async () => {
    if (whole) return blobs.staging.copy(whole)
    const body = Readable.from(readParts(context, await listParts(db, upload.id)), { objectMode: false })
    const limits = { maxBytes: upload.length, idleMs: longestTimerMs, announcedSize: upload.length }
    return blobs.staging.receive(body, limits)
  }
  const build = await uploadBuild(context, caller, {
    alias: upload.alias,
    file: { size: upload.length, stage },
    fileName: upload.file_name,
    source: { branch: upload.source_branch, commit: upload.source_commit, ciUrl: upload.source_ci_url },
    // Two requests that finish the same upload get the same build.
    idempotencyKey: upload.idempotency_key ?? `upload-${upload.id}`,
    signal,
  }).catch(async (error: unknown) => {
    if (hasLostPart(error)) {
      await deleteUploadWithParts(context, upload.id)
      throw new ApiError('uploadNotFound', { cause: error })
    }
    // The store broke off, not the client, so the client is told to try again.
    if (error instanceof ApiError && error.cause instanceof StorageError) throw error.cause
    if (isFinal(error)) await deleteUploadWithParts(context, upload.id)
    throw error
  })
  const keys = await transact(db, (trx) => setBuild(trx, upload.id, build.id))
  await removeKeys(context, keys)
  return build
}

/** Tells whether the bytes or the metadata of the upload are refused, so that another attempt would fail too. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422)
}

/** Tells whether bytes of the upload are missing, as after the database was restored from a backup. */
function hasLostPart(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'truncatedBody' && isMissing(error.cause)
}

async function* readParts({ blobs }: Pick<AppContext, 'blobs'>, parts: readonly PartRow[]): AsyncGenerator<Buffer> {
  for (const { blob_key: key, position, size } of parts) {
    for await (const piece of readPieces(await blobs.read(key, { start: position, end: position + size - 1 }))) {
      // The staging folder takes over the memory of each piece, so it gets a copy.
      yield Buffer.from(piece)
    }
  }
}
