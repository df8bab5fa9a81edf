import { sql } from 'kysely'
import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { Row } from '../db/schema.ts'

/** A build that a tester may already have on the phone. */
export interface OtherBuild {
  short_version: string
  version: string
}

/** Selects the builds of the same app that testers may have: those distributed or downloaded at least once. */
function selectGiven(db: Db, build: BuildRecord) {
  return db
    .selectFrom(visibleBuilds)
    .where('application_id', '=', build.application_id)
    .where('bundle_identifier', '=', build.bundle_identifier)
    .where('id', '!=', build.id)
    .where((where) =>
      where.or([
        where('install_count', '>', 0),
        where.exists(
          where.selectFrom('build_groups').select('build_id').whereRef('build_groups.build_id', '=', 'builds.id'),
        ),
      ]),
    )
}

/**
 * Finds the build with the highest version code, if that is above this build's. Version codes are decimal without
 * leading zeros, so a longer one is higher, and equally long ones compare as text.
 */
export async function findHigherBuild(db: Db, build: BuildRecord): Promise<OtherBuild | undefined> {
  const { version } = build
  return selectGiven(db, build)
    .select(['short_version', 'version'])
    .where((where) =>
      where.or([
        where(sql<number>`length(version)`, '>', version.length),
        where.and([where(sql<number>`length(version)`, '=', version.length), where('version', '>', version)]),
      ]),
    )
    .orderBy(sql`length(version)`, 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lists the newest builds that testers may have, with their details. */
export async function listGivenBuilds(
  db: Db,
  build: BuildRecord,
  limit: number,
): Promise<(OtherBuild & Pick<Row<'builds'>, 'details'>)[]> {
  return selectGiven(db, build)
    .select(['short_version', 'version', 'details'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
