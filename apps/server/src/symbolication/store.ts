import type { SymbolicateQuery } from '@fairlead/contract'
import { areSameMapId } from '@fairlead/symbols'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Where the lookup file of an image, or the index of a mapping, is kept. */
export interface StoredSymbols {
  symbols_file_id: number
  uuid: string
  key: string
}

/** An image may stand in several files: the newest of each UUID. */
export async function findImageSymbols(db: Db, applicationId: number, uuids: string[]): Promise<StoredSymbols[]> {
  const rows = await selectInBatches(uuids, (batch) =>
    selectSymbols(db, applicationId, 'dsym').where('symbols_images.uuid', 'in', batch).execute(),
  )
  const newest = new Map<string, StoredSymbols>()
  for (const row of rows) {
    if (!newest.has(row.uuid)) newest.set(row.uuid, row)
  }
  return [...newest.values()]
}

/**
 * The mapping with the trace's own map id, else the newest that the query fits. At most one. A mapping of another map id
 * would give wrong lines for certain, so it is taken only when it was chosen by its number.
 */
export async function findMappingSymbols(
  db: Db,
  applicationId: number,
  mapId: string | null,
  query: SymbolicateQuery,
): Promise<StoredSymbols[]> {
  if (mapId !== null) {
    const mappings = await selectSymbols(db, applicationId, 'proguard').where('symbols_images.uuid', '!=', '').execute()
    const named = mappings.find((mapping) => areSameMapId(mapping.uuid, mapId))
    if (named) return [named]
  }
  let fitting = selectSymbols(db, applicationId, 'proguard')
  const { symbolsFileId, version, shortVersion } = query
  if (mapId !== null && symbolsFileId === undefined) fitting = fitting.where('symbols_images.uuid', '=', '')
  if (symbolsFileId !== undefined) fitting = fitting.where('symbols_files.id', '=', symbolsFileId)
  if (version !== undefined) fitting = fitting.where('symbols_files.version', '=', version)
  if (shortVersion !== undefined) fitting = fitting.where('symbols_files.short_version', '=', shortVersion)
  return fitting.limit(1).execute()
}

function selectSymbols(db: Db, applicationId: number, kind: 'dsym' | 'proguard') {
  return db
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .innerJoin('blobs', 'blobs.id', 'symbols_images.blob_id')
    .select(['symbols_images.symbols_file_id', 'symbols_images.uuid', 'blobs.key'])
    .where('symbols_files.application_id', '=', applicationId)
    .where('symbols_files.kind', '=', kind)
    .orderBy('symbols_files.id', 'desc')
}
