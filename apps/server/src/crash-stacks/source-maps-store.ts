import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** A source map of a release. */
export interface ReleasedMap {
  /** The name of the bundle. */
  name: string
  key: string
  package: string | null
  shortVersion: string | null
  version: string | null
}

/** Finds the keys of the lookup files of source maps by debug id in lower case. Of several the newest is taken. */
export async function findMapsById(db: Db, applicationIds: number[], ids: string[]): Promise<Map<string, string>> {
  const rows = await selectInBatches(
    ids.map((id) => id.toUpperCase()),
    (batch) =>
      selectMaps(db, applicationIds)
        .select('symbols_images.uuid')
        .where('symbols_images.uuid', 'in', batch)
        .orderBy('symbols_files.id')
        .execute(),
  )
  return new Map(rows.map(({ uuid, key }) => [uuid.toLowerCase(), key]))
}

/** The most maps of one batch of bundles that are looked through for a release. */
const maxMaps = 5000

/** Lists the source maps of bundles that have a release, the newest first. */
export async function findMapsOfBundles(db: Db, applicationIds: number[], names: string[]): Promise<ReleasedMap[]> {
  const rows = await selectInBatches(names, (batch) =>
    selectMaps(db, applicationIds)
      .select(['symbols_images.name', 'symbols_files.bundle_identifier'])
      .select(['symbols_files.short_version', 'symbols_files.version'])
      .where('symbols_images.name', 'in', batch)
      .where((where) =>
        where.or([
          where('symbols_files.short_version', 'is not', null),
          where('symbols_files.version', 'is not', null),
        ]),
      )
      .orderBy('symbols_files.id', 'desc')
      .limit(maxMaps)
      .execute(),
  )
  return rows.map(({ name, key, bundle_identifier: packageName, short_version: shortVersion, version }) => {
    return { name, key, package: packageName, shortVersion, version }
  })
}

function selectMaps(db: Db, applicationIds: number[]) {
  return db
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .innerJoin('blobs', 'blobs.id', 'symbols_images.blob_id')
    .select('blobs.key')
    .where('symbols_files.application_id', 'in', applicationIds)
    .where('symbols_files.kind', '=', 'sourcemap')
}
