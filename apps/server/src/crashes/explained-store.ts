/** What the explanation of a crash group asks about its crashes, its releases and those of other groups. */
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/**
 * Finds the newest crash of a group whose frames are resolved, else the newest; of these releases if they are given.
 * Undefined if no crash is kept.
 */
export async function findTellingCrash(
  db: Db,
  groupId: number,
  releaseIds?: readonly number[],
): Promise<number | undefined> {
  const isUnread = sql<SqlBool>`exists (
    select 1 from crash_waits
    where crash_waits.stack_id = crashes.stack_id and crash_waits.is_found = 0 and crash_waits.is_needed = 1
  )`
  const select = () => {
    const query = db
      .selectFrom('crash_stacks')
      .innerJoin('crashes', 'crashes.stack_id', 'crash_stacks.id')
      .select('crashes.id')
      .where('crash_stacks.group_id', '=', groupId)
      .orderBy('crashes.occurred_at', 'desc')
      .orderBy('crashes.id', 'desc')
      .limit(1)
    return releaseIds === undefined ? query : query.where('crashes.release_id', 'in', releaseIds)
  }
  const resolved = await select()
    .where((where) => where.not(isUnread))
    .executeTakeFirst()
  return (resolved ?? (await select().executeTakeFirst()))?.id
}

/** Whether a release was used: it has sessions or crashes, of whatever group. */
export async function isReleaseUsed(
  db: Db,
  applicationId: number,
  release: { short_version: string; version: string },
): Promise<boolean> {
  const releases = db
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('version', '=', release.version)
    .where((where) => where.or([where('short_version', '=', release.short_version), where('short_version', '=', '')]))
  const session = await db
    .selectFrom('session_days')
    .select('day')
    .where('application_id', '=', applicationId)
    .where('release_id', 'in', releases)
    .where('started_count', '>', 0)
    .limit(1)
    .executeTakeFirst()
  if (session) return true
  const crash = await db
    .selectFrom('crash_days')
    .select('day')
    .where('release_id', 'in', releases)
    .limit(1)
    .executeTakeFirst()
  return crash !== undefined
}

/** Lists the groups whose first release is that of a build, those with most crashes first, and how many there are. */
export async function listGroupsBornIn(
  db: Db,
  build: Pick<Row<'builds'>, 'application_id' | 'short_version' | 'version'>,
  limit: number,
): Promise<{ ids: number[]; count: number }> {
  const query = db
    .selectFrom('crash_groups')
    .innerJoin('releases', 'releases.id', 'crash_groups.first_release_id')
    .where('crash_groups.application_id', '=', build.application_id)
    .where('crash_groups.crash_count', '>', 0)
    .where('releases.version', '=', build.version)
    .where((where) =>
      where.or([where('releases.short_version', '=', build.short_version), where('releases.short_version', '=', '')]),
    )
  const rows = await query
    .select('crash_groups.id')
    .orderBy('crash_groups.crash_count', 'desc')
    .orderBy('crash_groups.id', 'desc')
    .limit(limit)
    .execute()
  const { count } = await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { ids: rows.map(({ id }) => id), count }
}

/** Finds a crash by the id that its SDK gave it. */
export async function findCrashOfSource(
  db: Db,
  applicationId: number,
  sourceId: string,
): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('crashes')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('source_id', '=', sourceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
