import { sql } from 'kysely'
import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'

/** A build that a tester may already have on the phone. */
export interface OtherBuild {
  short_version: string
  version: string
}

/** Other builds that testers were given: they count from the moment they were distributed or fetched. */
function selectGiven(db: Db, build: BuildRecord) {
  return db
    .selectFrom('builds')
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
 * The given build with the highest version code, where that is above this build's.
 * Version codes are decimal and start with no zero: the longer is the higher, and of equal length the later.
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

/** The newest of the given builds. */
export async function listGivenBuilds(
  db: Db,
  build: BuildRecord,
  limit: number,
): Promise<(OtherBuild & { details: string })[]> {
  return selectGiven(db, build)
    .select(['short_version', 'version', 'details'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
