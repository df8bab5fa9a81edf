import { commitUpload } from '../blobs/commit.ts'
import { requireRoom } from '../blobs/quota.ts'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { deleteChunksBefore, findArchitecture, insertChunk, listChunks, type StoredChunk } from './chunks-store.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'log'>

export type { StoredChunk } from './chunks-store.ts'

/** Chunks that no assembled file uses yet are kept this long, so that an interrupted upload can be resumed. */
const keptMs = 24 * 60 * 60 * 1000

/**
 * Stores a part of a file under its SHA-1.
 *
 * @throws {ApiError} quotaExceeded, insufficientStorage
 */
export async function keepChunk(
  context: Context & Pick<AppContext, 'config'>,
  workspaceId: number,
  sha1: string,
  bytes: Buffer,
): Promise<void> {
  await requireRoom(context, workspaceId, { bytes: bytes.length, builds: 0 })
  await commitUpload(context, async (keep) => {
    const kept = await keep(await context.blobs.staging.write(bytes))
    const used = await context.db.transaction().execute((trx) => insertChunk(trx, workspaceId, sha1, kept))
    return { result: undefined, used }
  })
}

/** Finds the blobs of chunks, by SHA-1. */
export async function findChunks(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  sha1s: readonly string[],
): Promise<Map<string, StoredChunk>> {
  const rows = await listChunks(db, workspaceId, [...new Set(sha1s)])
  return new Map(rows.map((row) => [row.sha1, row]))
}

export async function deleteOldChunks(context: Context, now: number): Promise<void> {
  const keys = await context.db.transaction().execute((trx) => deleteChunksBefore(trx, now - keptMs))
  await removeKeys(context, keys)
}

/** The architecture of an image whose symbols were uploaded; null for a mapping. */
export function findImageArchitecture({ db }: Context, applicationId: number, uuid: string): Promise<string | null> {
  return findArchitecture(db, applicationId, uuid)
}
