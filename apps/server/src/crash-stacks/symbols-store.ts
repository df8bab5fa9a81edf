import type { SymbolsKind } from '@fairlead/contract'
import type { MappingReference } from '@fairlead/crashes'
import { toDetailRank } from '@fairlead/symbols'
import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Finds the keys of the lookup files of images by UUID in lower case. Of several files the newest is taken. */
export async function findLookups(db: Db, applicationIds: number[], uuids: string[]): Promise<Map<string, string>> {
  const rows = await selectInBatches(
    uuids.map((uuid) => uuid.toUpperCase()),
    (batch) =>
      selectSymbols(db, applicationIds, 'dsym')
        .where('symbols_images.uuid', 'in', batch)
        .orderBy('symbols_files.id')
        .execute(),
  )
  return new Map(rows.map(({ uuid, key }) => [uuid.toLowerCase(), key]))
}

/**
 * Finds the keys of the lookup files of ELF files by debug id in lower case. Of several files of one build, the one
 * that says most is taken, and of those the newest.
 */
export async function findElfLookups(
  db: Db,
  applicationIds: number[],
  uuids: string[],
): Promise<Map<string, { key: string; codeId: string | null }>> {
  const rows = await selectInBatches(
    uuids.map((uuid) => uuid.toUpperCase()),
    (batch) =>
      selectSymbols(db, applicationIds, 'elf')
        .select('symbols_images.code_id')
        .where('symbols_images.uuid', 'in', batch)
        // A file without symbols, such as a stripped Dart snapshot, is as good as missing.
        .where('symbols_images.detail_rank', '<', toDetailRank('none'))
        .orderBy('symbols_images.detail_rank', 'desc')
        .orderBy('symbols_files.id')
        .execute(),
  )
  return new Map(rows.map(({ uuid, key, code_id: codeId }) => [uuid.toLowerCase(), { key, codeId }]))
}

/** Finds the keys of Dart's obfuscation maps by debug id in lower case. Of several of one build the newest is taken. */
export async function findDartMaps(db: Db, applicationIds: number[], uuids: string[]): Promise<Map<string, string>> {
  const rows = await selectInBatches(
    uuids.map((uuid) => uuid.toUpperCase()),
    (batch) =>
      selectSymbols(db, applicationIds, 'dartmap')
        .where('symbols_images.uuid', 'in', batch)
        .orderBy('symbols_files.id')
        .execute(),
  )
  return new Map(rows.map(({ uuid, key }) => [uuid.toLowerCase(), key]))
}

/**
 * Finds the mapping of a stack: the one with an id that the report names, else the newest of its package and version.
 * A mapping that has another id of R8 than the report would give wrong names, so it is never taken.
 */
export async function findMapping(
  db: Db,
  applicationIds: number[],
  { ids, package: packageName, shortVersion, version }: MappingReference,
): Promise<{ key: string; isById: boolean } | undefined> {
  for (const id of ids) {
    const named = await selectSymbols(db, applicationIds, 'proguard')
      .where((where) =>
        where.or([
          where('symbols_files.debug_id', '=', id),
          where.and([where('symbols_images.uuid', '!=', ''), isSameId(id)]),
        ]),
      )
      .orderBy('symbols_files.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (named) return { key: named.key, isById: true }
  }
  if (version === null) return undefined
  let fitting = selectSymbols(db, applicationIds, 'proguard').where('symbols_files.version', '=', version)
  if (shortVersion !== null) fitting = fitting.where('symbols_files.short_version', '=', shortVersion)
  if (packageName !== null) fitting = fitting.where('symbols_files.bundle_identifier', '=', packageName)
  if (ids.some((id) => !id.includes('-'))) fitting = fitting.where('symbols_images.uuid', '=', '')
  const newest = await fitting.orderBy('symbols_files.id', 'desc').limit(1).executeTakeFirst()
  return newest && { key: newest.key, isById: false }
}

/** An id of R8 in a trace may be shorter than the one in the mapping, or longer. */
function isSameId(id: string) {
  const text = id.toLowerCase()
  return sql<boolean>`(lower(symbols_images.uuid) like ${`${text}%`} or ${text} like lower(symbols_images.uuid) || '%')`
}

function selectSymbols(db: Db, applicationIds: number[], kind: SymbolsKind) {
  return db
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .innerJoin('blobs', 'blobs.id', 'symbols_images.blob_id')
    .select(['symbols_images.uuid', 'blobs.key'])
    .where('symbols_files.application_id', 'in', applicationIds)
    .where('symbols_files.kind', '=', kind)
}
