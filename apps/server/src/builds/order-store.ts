import { bytewise } from '../db/bytewise.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { visibleBuilds } from '../db/visible-builds.ts'

type BuildRow = Row<'builds'>

/** Lists builds of the same application that were uploaded before, newest first, without those of its own release. */
export async function listOlderBuilds(
  db: Db,
  build: Pick<BuildRow, 'id' | 'application_id' | 'version' | 'short_version'>,
  where: { branch?: string; commit?: string },
  limit: number,
): Promise<Pick<BuildRow, 'id' | 'size'>[]> {
  let query = db
    .selectFrom(visibleBuilds)
    .select(['id', 'size'])
    .where('application_id', '=', build.application_id)
    .where('id', '<', build.id)
    .where((condition) =>
      condition.or([condition('version', '!=', build.version), condition('short_version', '!=', build.short_version)]),
    )
  if (where.branch !== undefined) query = query.where(bytewise(db, 'source_branch'), '=', where.branch)
  if (where.commit !== undefined) query = query.where('source_commit', '=', where.commit)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Lists the builds of a build's release, newest first: the same version may have been uploaded several times. */
export async function listBuildsOfRelease(
  db: Db,
  build: Pick<BuildRow, 'application_id' | 'version' | 'short_version'>,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom(visibleBuilds)
    .select('id')
    .where('application_id', '=', build.application_id)
    .where('version', '=', build.version)
    .where('short_version', '=', build.short_version)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists builds above one and up to another, newest first; of one branch if it is known. */
export async function listBuildsBetween(
  db: Db,
  applicationId: number,
  { above, upTo, branch }: { above: number; upTo: number; branch: string | null },
  limit: number,
): Promise<number[]> {
  let query = db
    .selectFrom(visibleBuilds)
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '>', above)
    .where('id', '<=', upTo)
  if (branch !== null)
    query = query.where((where) => where.or([where('source_branch', '=', branch), where('id', '=', upTo)]))
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Finds the newest build of a commit. */
export async function findBuildOfCommit(db: Db, applicationId: number, commit: string): Promise<number | undefined> {
  const row = await db
    .selectFrom(visibleBuilds)
    .select('id')
    .where('application_id', '=', applicationId)
    .where('source_commit', '=', commit)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
