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

/** Deletes old chunks. Returns the keys of blobs to remove after the commit. */
export async function deleteChunksBefore(trx: Db, before: number): Promise<string[]> {
  const rows = await trx.deleteFrom('debug_chunks').where('created_at', '<', before).returning('blob_id').execute()
  return releaseBlobs(
    trx,
    rows.map((row) => row.blob_id),
  )
}

export async function findArchitecture(db: Db, applicationId: number, uuid: string): Promise<string | null> {
  const row = await db
    .selectFrom('symbols_images')
    .select('architecture')
    .where('application_id', '=', applicationId)
    .where('uuid', '=', uuid.toUpperCase())
    .executeTakeFirst()
  return row?.architecture ?? null
}
