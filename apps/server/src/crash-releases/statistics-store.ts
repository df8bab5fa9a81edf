import type { MissingSymbols } from '@fairlead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { defaultEnvironment } from './releases-store.ts'
import { unknownImage } from '../crash-stacks/symbol-ref.ts'

export async function listGroupDays(db: Db, groupId: number): Promise<{ day: number; count: number }[]> {
  return db
    .selectFrom('crash_days')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_days.stack_id')
    .select(['day', sumOf('count').as('count')])
    .where('group_id', '=', groupId)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

/** The crashes of a group by day and release, since a day. */
export async function listGroupReleaseDays(
  db: Db,
  groupId: number,
  sinceDay: number,
): Promise<{ day: number; release_id: number; count: number }[]> {
  return db
    .selectFrom('crash_days')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_days.stack_id')
    .select(['day', 'release_id', sumOf('count').as('count')])
    .where('group_id', '=', groupId)
    .where('day', '>=', sinceDay)
    .groupBy(['day', 'release_id'])
    .orderBy('day')
    .execute()
}

export async function listGroupReleases(db: Db, groupId: number) {
  return db
    .selectFrom('crash_days')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_days.stack_id')
    .innerJoin('releases', 'releases.id', 'crash_days.release_id')
    .selectAll('releases')
    .select(sumOf('count').as('count'))
    .where('group_id', '=', groupId)
    .groupBy('releases.id')
    .execute()
}

export async function listReleaseSketches(db: Db, groupId: number): Promise<Row<'crash_sketches'>[]> {
  return db
    .selectFrom('crash_sketches')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_sketches.stack_id')
    .selectAll('crash_sketches')
    .where('group_id', '=', groupId)
    .execute()
}

/** PostgreSQL's sum of bigint is numeric, which its driver returns as text. */
export function sumOf(column: string) {
  return sql<number>`cast(sum(${sql.ref(column)}) as bigint)`
}

/** The most values that are listed of one kind, because there are more devices than anybody reads. */
const maxValues = 200

export async function listGroupValues(
  db: Db,
  groupId: number,
  kind: 'os' | 'device' | 'tag',
): Promise<{ value: string; count: number }[]> {
  return db
    .selectFrom('crash_values')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_values.stack_id')
    .select(['value', sumOf('count').as('count')])
    .where('group_id', '=', groupId)
    .where('crash_values.kind', '=', kind)
    .groupBy('value')
    .orderBy('count', 'desc')
    .limit(maxValues)
    .execute()
}

/** The stacks of a group with the most crashes. */
export async function listLargestStacks(db: Db, groupId: number) {
  return db
    .selectFrom('crash_stacks')
    .select((select) => [
      'id',
      'crash_count',
      'pinned_group_id',
      // `first_crash_id` names a crash that may be deleted since.
      select
        .selectFrom('crashes')
        .select('crashes.id')
        .whereRef('crashes.stack_id', '=', 'crash_stacks.id')
        .orderBy('crashes.id')
        .limit(1)
        .as('first_crash_id'),
    ])
    .where('group_id', '=', groupId)
    .orderBy('crash_count', 'desc')
    .orderBy('id')
    .limit(maxValues)
    .execute()
}

/** The sessions of the last days; of one environment if it is given. */
export async function listSessionDays(db: Db, applicationId: number, environment: string | undefined) {
  let query = db
    .selectFrom('session_days')
    .innerJoin('releases', 'releases.id', 'session_days.release_id')
    .selectAll('session_days')
    .select(['releases.package', 'releases.short_version', 'releases.version', 'releases.environment'])
    .where('session_days.application_id', '=', applicationId)
    .orderBy('session_days.day', 'desc')
    .orderBy('session_days.release_id', 'desc')
  if (environment !== undefined) query = query.where('releases.environment', '=', environment)
  return query.limit(10_000).execute()
}

/** The environment with the most sessions, or crashes where no sessions are sent. */
export async function findBusiestEnvironment(db: Db, applicationId: number): Promise<string> {
  const busiest = await db
    .selectFrom('session_totals')
    .select('environment')
    .where('application_id', '=', applicationId)
    .groupBy('environment')
    .orderBy(sumOf('started_count'), 'desc')
    .orderBy(sumOf('crashed_count'), 'desc')
    .orderBy(sql`environment = ${defaultEnvironment}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return busiest?.environment ?? defaultEnvironment
}

/**
 * Lists symbols that crashes of these applications lack, those that most crashes wait for first. With a group, only its
 * stacks and crashes count.
 */
export async function listMissingSymbols(
  db: Db,
  applicationIds: number[],
  groupId?: number,
): Promise<MissingSymbols[]> {
  let waits = db
    .selectFrom('crash_waits')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_waits.stack_id')
    .leftJoin('releases', 'releases.id', 'crash_waits.release_id')
    .select((select) => [
      'crash_waits.kind',
      'crash_waits.ref',
      select.fn.max('crash_waits.name').as('name'),
      select.fn.max('crash_waits.code_id').as('code_id'),
      select.fn.max('releases.package').as('package'),
      select.fn.max('releases.short_version').as('short_version'),
      select.fn.max('releases.version').as('version'),
      select.fn.countAll<number>().as('stack_count'),
      sumOf('crash_stacks.crash_count').as('crash_count'),
    ])
    .where('crash_waits.application_id', 'in', applicationIds)
    .where('is_found', '=', 0)
    .where('is_needed', '=', 1)
  if (groupId !== undefined) waits = waits.where('crash_stacks.group_id', '=', groupId)
  const rows = await waits
    .groupBy(['crash_waits.kind', 'crash_waits.ref'])
    .orderBy('crash_count', 'desc')
    .orderBy('crash_waits.ref')
    .limit(1000)
    .execute()
  return rows.map(toMissingSymbols)
}

interface MissingRow {
  kind: MissingSymbols['kind']
  ref: string
  name: string | null
  code_id: string | null
  package: string | null
  short_version: string | null
  version: string | null
  stack_count: number
  crash_count: number
}

export function toMissingSymbols({ ref, ...row }: MissingRow): MissingSymbols {
  return {
    kind: row.kind,
    codeId: row.code_id,
    uuid: toMissingUuid(ref),
    name: row.name,
    package: row.package || null,
    shortVersion: row.short_version || null,
    version: row.version || null,
    stackCount: row.stack_count,
    crashCount: row.crash_count,
  }
}

/** Mappings have ids that begin with `id:`; a release is none, nor is the name of an image. */
function toMissingUuid(ref: string): string | null {
  if (ref.startsWith('v:') || ref.startsWith(unknownImage)) return null
  return ref.startsWith('id:') ? ref.slice('id:'.length) : ref
}
