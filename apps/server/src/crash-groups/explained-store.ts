/** What the explanation of a crash group asks about its crashes, its releases and those of other groups. */
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** The most stacks of a group that are looked at. */
const maxStacks = 50

/**
 * Finds the newest crash of a group whose frames are resolved, else the newest; of these releases, the oldest of the
 * newest stack. Undefined if no crash is kept.
 *
 * A group may have a million crashes and few stacks, so the stack is chosen first.
 */
export async function findTellingCrash(
  db: Db,
  groupId: number,
  releaseIds?: readonly number[],
): Promise<number | undefined> {
  const stacks = await listNewestStacks(db, groupId, releaseIds)
  const unread = await listUnreadStacks(db, stacks)
  const inOrder = [...stacks.filter((id) => !unread.has(id)), ...stacks.filter((id) => unread.has(id))]
  for (const stackId of inOrder) {
    const crashes = db.selectFrom('crashes').select('id').where('stack_id', '=', stackId).limit(1)
    const crash =
      releaseIds === undefined
        ? await crashes.orderBy('occurred_at', 'desc').orderBy('id', 'desc').executeTakeFirst()
        : await crashes.where('release_id', 'in', releaseIds).orderBy('occurred_at').orderBy('id').executeTakeFirst()
    if (crash) return crash.id
  }
  return undefined
}

async function listNewestStacks(db: Db, groupId: number, releaseIds?: readonly number[]): Promise<number[]> {
  let query = db.selectFrom('crash_stacks').select('id').where('group_id', '=', groupId)
  if (releaseIds !== undefined) {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('crash_days')
          .select('crash_days.day')
          .whereRef('crash_days.stack_id', '=', 'crash_stacks.id')
          .where('crash_days.release_id', 'in', releaseIds),
      ),
    )
  }
  const rows = await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(maxStacks).execute()
  return rows.map(({ id }) => id)
}

/** Which of these stacks have frames that wait for symbols. */
async function listUnreadStacks(db: Db, stackIds: readonly number[]): Promise<Set<number>> {
  if (stackIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('crash_waits')
    .select('stack_id')
    .distinct()
    .where('stack_id', 'in', stackIds)
    .where('is_found', '=', 0)
    .where('is_needed', '=', 1)
    .execute()
  return new Set(rows.map((row) => row.stack_id))
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
