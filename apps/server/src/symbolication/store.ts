import type { SymbolicateQuery } from '@fairlead/contract'
import { areSameMapId } from '@fairlead/symbols'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** The blob that holds the lookup file of an image or the index of a mapping. */
export interface StoredSymbols {
  symbols_file_id: number
  uuid: string
  key: string
}

/** Finds the symbols of images. If several files hold symbols of one UUID, the newest file is taken. */
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
 * Finds at most one mapping: the one with the trace's own map id, else the newest that fits the query. A mapping with
 * another map id would surely give wrong lines, so it is taken only when the query names it by its id.
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
