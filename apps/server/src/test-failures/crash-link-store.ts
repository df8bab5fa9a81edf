import { sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'
import { type JsonText, parseJsonText, toJsonText } from '../db/json-text.ts'

export interface FailureSignature {
  applicationId: number
  /** The exception, as `package.Class`. */
  type: string
  /** The innermost frame of the app, as `package.Class.method`. */
  frame: string
}

/** The most links that a page lists. */
const maxLinks = 10
/** The most groups of failures with the same frame that are searched, newest first. */
const maxGroups = 100

/** Lists the newest failure of each test, newest first. */
export async function listFailuresLike(db: Db, { applicationId, type, frame }: FailureSignature) {
  // `takeGroups` writes the frames as a JSON list, the innermost first.
  const alone = toJsonText([frame])
  const first = `${alone.slice(0, -1)},`
  const groups = await db
    .selectFrom('failure_groups')
    .select('id')
    .where('application_id', '=', applicationId)
    .where((where) =>
      where.or([where('frames', '=', alone), sql<SqlBool>`substr(frames, 1, ${first.length}) = ${first}`]),
    )
    .orderBy('id', 'desc')
    .limit(maxGroups)
    .execute()
  const ids = groups.map(({ id }) => id)
  if (ids.length === 0) return []
  return db
    .selectFrom('test_failures')
    .innerJoin('tests', 'tests.id', 'test_failures.test_id')
    .innerJoin('test_runs', 'test_runs.id', 'test_failures.run_id')
    .select((select) => ['test_failures.test_id', select.fn.max('test_failures.id').as('failure_id')])
    .select((select) => select.fn.max('test_failures.run_id').as('run_id'))
    .select((select) => select.fn.max('test_runs.created_at').as('created_at'))
    .select('tests.name')
    .where('test_failures.group_id', 'in', ids)
    .where('test_failures.type', '=', type)
    .groupBy(['test_failures.test_id', 'tests.name'])
    .orderBy('failure_id', 'desc')
    .limit(maxLinks)
    .execute()
}

export async function findFailureSignature(db: Db, workspaceId: number, failureId: number) {
  const row = await db
    .selectFrom('test_failures')
    .innerJoin('test_runs', 'test_runs.id', 'test_failures.run_id')
    .leftJoin('failure_groups', 'failure_groups.id', 'test_failures.group_id')
    .select(['test_runs.application_id', 'test_failures.type', 'failure_groups.frames'])
    .where('test_failures.id', '=', failureId)
    .where('test_runs.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row && { applicationId: row.application_id, type: row.type, frames: readFrames(row.frames) }
}

export async function findCrashGroupIds(db: Db, { applicationId, type, frame }: FailureSignature): Promise<number[]> {
  const rows = await db
    .selectFrom('crash_groups')
    .select(['id', 'exception_types'])
    .where('application_id', '=', applicationId)
    .where('crash_count', '>', 0)
    .where('culprit', '=', frame)
    .orderBy('last_seen_at', 'desc')
    .limit(maxLinks)
    .execute()
  return rows.filter(({ exception_types }) => readFrames(exception_types).at(-1) === type).map(({ id }) => id)
}

function readFrames(text: JsonText<string[]> | null): string[] {
  return text === null ? [] : parseJsonText(text)
}
