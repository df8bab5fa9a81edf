/**
 * Releases: the versions that crashes and sessions name, by environment. They have an order (`release-order.ts`),
 * counters by day (`statistics-store.ts`) and sets of installs (`install-sketch.ts`), which say how many people were
 * hit without keeping who they are.
 */
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export interface ReleaseName {
  package: string | null
  shortVersion: string | null
  version: string | null
  environment: string | null
}

/** The environment of crashes and sessions that name none. */
export const defaultEnvironment = 'production'

/** Finds a release, or inserts it. A value that a crash does not name is empty text, so each crash has a release. */
export async function requireRelease(
  trx: Db,
  applicationId: number,
  name: ReleaseName,
  now: number,
): Promise<Row<'releases'>> {
  const columns = {
    package: name.package ?? '',
    short_version: name.shortVersion ?? '',
    version: name.version ?? '',
    environment: name.environment ?? defaultEnvironment,
  }
  const find = () =>
    trx
      .selectFrom('releases')
      .selectAll()
      .where('application_id', '=', applicationId)
      .where('package', '=', columns.package)
      .where('short_version', '=', columns.short_version)
      .where('version', '=', columns.version)
      .where('environment', '=', columns.environment)
      .executeTakeFirst()
  const known = await find()
  if (known) return known
  return trx
    .insertInto('releases')
    .values({ application_id: applicationId, ...columns, first_seen_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listReleasesById(db: Db, ids: number[]): Promise<Map<number, Row<'releases'>>> {
  const rows = await selectInBatches(ids, (batch) =>
    db.selectFrom('releases').selectAll().where('id', 'in', batch).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
