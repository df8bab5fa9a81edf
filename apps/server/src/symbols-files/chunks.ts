import { commitUpload } from '../blobs/commit.ts'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { deleteChunksBefore, findArchitecture, insertChunk, listChunks } from './chunks-store.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'log'>

/** Chunks that no assembled file uses yet are kept this long, so that an interrupted upload can be resumed. */
const keptMs = 24 * 60 * 60 * 1000

/** Stores a part of a file under its SHA-1. */
export async function keepChunk(context: Context, workspaceId: number, sha1: string, bytes: Buffer): Promise<void> {
  await commitUpload(context, async (keep) => {
    const kept = await keep(await context.blobs.staging.write(bytes))
    const used = await context.db.transaction().execute((trx) => insertChunk(trx, workspaceId, sha1, kept))
    return { result: undefined, used }
  })
}

/** Finds the keys of the blobs of chunks, by SHA-1. */
export async function findChunks({ db }: Context, workspaceId: number, sha1s: string[]): Promise<Map<string, string>> {
  const rows = await listChunks(db, workspaceId, [...new Set(sha1s)])
  return new Map(rows.map(({ sha1, key }) => [sha1, key]))
}

export async function deleteOldChunks(context: Context, now: number): Promise<void> {
  const keys = await context.db.transaction().execute((trx) => deleteChunksBefore(trx, now - keptMs))
  await removeKeys(context, keys)
}

/** The architecture of an image whose symbols were uploaded; null for a mapping. */
export function findImageArchitecture({ db }: Context, applicationId: number, uuid: string): Promise<string | null> {
  return findArchitecture(db, applicationId, uuid)
}
