import type { MappingReference } from '@fairlead/crashes'
import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Finds the keys of the lookup files of images by UUID in lower case. Of several files the newest is taken. */
export async function findLookups(db: Db, applicationId: number, uuids: string[]): Promise<Map<string, string>> {
  const rows = await selectInBatches(
    uuids.map((uuid) => uuid.toUpperCase()),
    (batch) =>
      selectSymbols(db, applicationId, 'dsym')
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
  applicationId: number,
  { ids, package: packageName, shortVersion, version }: MappingReference,
): Promise<{ key: string; isById: boolean } | undefined> {
  for (const id of ids) {
    const named = await selectSymbols(db, applicationId, 'proguard')
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
  let fitting = selectSymbols(db, applicationId, 'proguard').where('symbols_files.version', '=', version)
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

function selectSymbols(db: Db, applicationId: number, kind: 'dsym' | 'proguard') {
  return db
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .innerJoin('blobs', 'blobs.id', 'symbols_images.blob_id')
    .select(['symbols_images.uuid', 'blobs.key'])
    .where('symbols_files.application_id', '=', applicationId)
    .where('symbols_files.kind', '=', kind)
}
