import type { NotNull } from 'kysely'
import type { SymbolicateQuery, SymbolsKind } from '@fairlead/contract'
import { areSameMapId, toDetailRank } from '@fairlead/symbols'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** The blob that holds the lookup file of an image or the index of a mapping. */
export interface StoredSymbols {
  symbols_file_id: number
  uuid: string
  /** The build id of an ELF file, if it has one. */
  code_id?: string | null
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

/** The rank of files without symbols, such as stripped Dart snapshots. They are as good as missing. */
const saysNothing = toDetailRank('none')

/** Finds the symbols of ELF files by debug id. Of several files of one build, the one that says most is taken. */
export async function findElfSymbols(db: Db, applicationId: number, uuids: string[]): Promise<StoredSymbols[]> {
  const rows = await selectInBatches(uuids, (batch) =>
    selectSymbols(db, applicationId, 'elf')
      .select(['symbols_images.code_id', 'symbols_images.detail_rank'])
      .where('symbols_images.uuid', 'in', batch)
      .where('symbols_images.detail_rank', '<', saysNothing)
      .execute(),
  )
  const best = new Map<string, StoredSymbols>()
  for (const row of rows.toSorted((a, b) => a.detail_rank - b.detail_rank)) {
    if (!best.has(row.uuid)) best.set(row.uuid, row)
  }
  return [...best.values()]
}

/** Finds the ELF files of one upload, for traces that do not say which build they are of. */
export async function findElfSymbolsOfFile(
  db: Db,
  applicationId: number,
  symbolsFileId: number,
): Promise<(StoredSymbols & { architecture: string | null })[]> {
  return await selectSymbols(db, applicationId, 'elf')
    .select(['symbols_images.code_id', 'symbols_images.architecture'])
    .where('symbols_files.id', '=', symbolsFileId)
    .where('symbols_images.detail_rank', '<', saysNothing)
    .execute()
}

/** Finds Dart's obfuscation maps by the debug id of the symbols that they belong to, the newest of each. */
export async function findDartMapSymbols(db: Db, applicationId: number, uuids: string[]): Promise<StoredSymbols[]> {
  const rows = await selectInBatches(uuids, (batch) =>
    selectSymbols(db, applicationId, 'dartmap').where('symbols_images.uuid', 'in', batch).execute(),
  )
  const newest = new Map<string, StoredSymbols>()
  for (const row of rows) {
    if (!newest.has(row.uuid)) newest.set(row.uuid, row)
  }
  return [...newest.values()]
}

export interface WantedSourceMaps {
  symbolsFileId?: number | undefined
  /** In lower case with hyphens. */
  debugId?: string | undefined
  version?: string | undefined
  shortVersion?: string | undefined
}

const maxSourceMaps = 1000

/** Finds source maps by what is given, the newest first, with the names of their bundles. */
export async function findSourceMapSymbols(
  db: Db,
  applicationId: number,
  { symbolsFileId, debugId, version, shortVersion }: WantedSourceMaps,
): Promise<(StoredSymbols & { name: string })[]> {
  let fitting = selectSymbols(db, applicationId, 'sourcemap').select('symbols_images.name')
  if (symbolsFileId !== undefined) fitting = fitting.where('symbols_files.id', '=', symbolsFileId)
  if (debugId !== undefined) fitting = fitting.where('symbols_images.uuid', '=', debugId.toUpperCase())
  if (version !== undefined) fitting = fitting.where('symbols_files.version', '=', version)
  if (shortVersion !== undefined) fitting = fitting.where('symbols_files.short_version', '=', shortVersion)
  return await fitting.limit(maxSourceMaps).execute()
}

/** The build ids of the libraries of these names, the newest first: what is here instead of what is missing. */
export async function listBuildIdsOfNames(
  db: Db,
  applicationId: number,
  names: string[],
): Promise<{ name: string; code_id: string }[]> {
  return selectInBatches(names, (batch) =>
    db
      .selectFrom('symbols_images')
      .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
      .select(['symbols_images.name', 'symbols_images.code_id'])
      .where('symbols_files.application_id', '=', applicationId)
      .where('symbols_files.kind', '=', 'elf')
      .where('symbols_images.name', 'in', batch)
      .where('symbols_images.code_id', 'is not', null)
      .orderBy('symbols_files.id', 'desc')
      .limit(maxNamed)
      .$narrowType<{ code_id: NotNull }>()
      .execute(),
  )
}

const maxNamed = 1000

function selectSymbols(db: Db, applicationId: number, kind: SymbolsKind) {
  return db
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .innerJoin('blobs', 'blobs.id', 'symbols_images.blob_id')
    .select(['symbols_images.symbols_file_id', 'symbols_images.uuid', 'blobs.key'])
    .where('symbols_files.application_id', '=', applicationId)
    .where('symbols_files.kind', '=', kind)
    .orderBy('symbols_files.id', 'desc')
}
