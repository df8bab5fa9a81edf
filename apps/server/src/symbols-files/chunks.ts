import { commitUpload } from '../blobs/commit.ts'
import { requireRoom } from '../blobs/quota.ts'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import {
  deleteChunksBefore,
  findHeldSymbols,
  type HeldSymbols,
  insertChunk,
  insertWholeFile,
  listChunks,
  type StoredChunk,
} from './chunks-store.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'log'>

export type { HeldSymbols, StoredChunk } from './chunks-store.ts'

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

/** Finds symbols that the application has already, by the SHA-1 of their file. */
export function findHeld(
  { db }: Pick<AppContext, 'db'>,
  owner: { workspaceId: number; applicationId: number },
  file: { sha1: string; debugId: string | undefined },
): Promise<HeldSymbols | undefined> {
  return findHeldSymbols(db, owner, file)
}

/** Remembers a file that was put together, so that no chunk of it is asked for again while its symbols are kept. */
export async function rememberFile(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  { sha1, sha256 }: { sha1: string; sha256: string },
): Promise<void> {
  await db.transaction().execute((trx) => insertWholeFile(trx, workspaceId, sha1, sha256))
}
