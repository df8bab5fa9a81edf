import { releaseBlobs, retainBlobs } from '../blobs/records.ts'
import type { KeptFile } from '../blobs/records.ts'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** A part of a file, with the key and the size of its blob. */
export interface StoredChunk {
  sha1: string
  key: string
  size: number
}

/** Stores a chunk, unless it is stored already. Returns the keys of blobs that the database refers to. */
export async function insertChunk(trx: Db, workspaceId: number, sha1: string, file: KeptFile): Promise<string[]> {
  const [known] = await listChunks(trx, workspaceId, [sha1])
  if (known) return []
  const blob = (await retainBlobs(trx, [file]))(file)
  const inserted = await trx
    .insertInto('debug_chunks')
    .values({ workspace_id: workspaceId, sha1, blob_id: blob.id, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sha1')
    .executeTakeFirst()
  if (inserted) return [blob.key]
  // Another request has just stored the same chunk. Its reference keeps the blob.
  await releaseBlobs(trx, [blob.id])
  return []
}

export async function listChunks(db: Db, workspaceId: number, sha1s: string[]): Promise<StoredChunk[]> {
  return selectInBatches(sha1s, (batch) =>
    db
      .selectFrom('debug_chunks')
      .innerJoin('blobs', 'blobs.id', 'debug_chunks.blob_id')
      .select(['debug_chunks.sha1', 'blobs.key', 'blobs.size'])
      .where('debug_chunks.workspace_id', '=', workspaceId)
      .where('debug_chunks.sha1', 'in', batch)
      .execute(),
  )
}

/**
 * Deletes old chunks, but not those that are the whole of symbols that are kept. Returns the keys of blobs to remove
 * after the commit.
 */
export async function deleteChunksBefore(trx: Db, before: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('debug_chunks')
    .where('created_at', '<', before)
    .where('blob_id', 'not in', (select) => select.selectFrom('symbols_files').select('blob_id'))
    .returning('blob_id')
    .execute()
  return releaseBlobs(
    trx,
    rows.map((row) => row.blob_id),
  )
}

/** Symbols that an application has, with the first of their images. */
export interface HeldSymbols {
  debugId: string | null
  architecture: string | null
  codeId: string | null
}

/**
 * Finds the symbols of an application by the SHA-1 of the whole file. Kinds that do not name their build themselves are
 * others for each debug id.
 */
export async function findHeldSymbols(
  db: Db,
  owner: { workspaceId: number; applicationId: number },
  { sha1, debugId }: { sha1: string; debugId: string | undefined },
): Promise<HeldSymbols | undefined> {
  const row = await db
    .selectFrom('debug_chunks')
    .innerJoin('symbols_files', 'symbols_files.blob_id', 'debug_chunks.blob_id')
    .innerJoin('symbols_images', 'symbols_images.symbols_file_id', 'symbols_files.id')
    .select(['symbols_files.debug_id', 'symbols_images.uuid', 'symbols_images.architecture', 'symbols_images.code_id'])
    .where('debug_chunks.workspace_id', '=', owner.workspaceId)
    .where('debug_chunks.sha1', '=', sha1)
    .where('symbols_files.application_id', '=', owner.applicationId)
    .where((where) =>
      where.or([
        where('symbols_files.debug_id', 'is', null),
        ...(debugId === undefined ? [] : [where('symbols_files.debug_id', '=', debugId)]),
      ]),
    )
    .orderBy('symbols_files.id', 'desc')
    .orderBy('symbols_images.id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const uuid = row.debug_id ?? row.uuid.toLowerCase()
  return { debugId: uuid === '' ? null : uuid, architecture: row.architecture, codeId: row.code_id }
}

/** Remembers the SHA-1 of a whole file that was put together from several chunks. */
export async function insertWholeFile(trx: Db, workspaceId: number, sha1: string, sha256: string): Promise<void> {
  const blob = await trx
    .selectFrom('blobs')
    .select(['key', 'sha256', 'size'])
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (blob) await insertChunk(trx, workspaceId, sha1, blob)
}
