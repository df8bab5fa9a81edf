/** Writes the cases of a report: environments, tests, results, failures and their groups. */
import type { ReportCase } from '@fairlead/reports'
import { type Insertable, sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { mayHoldTrace } from './crash-text.ts'
import { type FailureGroupKey, isDeviceFailure } from './group-key.ts'
import { toOutcomeCode } from './outcome.ts'

export interface CaseOwner {
  workspaceId: number
  applicationId: number
  runId: number
  reportId: number
}

/** A case with the group of its last failure, if it failed in any attempt. */
export interface GroupedCase {
  one: ReportCase
  group: FailureGroupKey | null
  /** Whether the text of its last failure holds a stack trace. */
  hasTrace: boolean
}

/** Inserts a batch of cases. Returns the ids of their tests, in their order. */
export async function insertCases(
  trx: Db,
  owner: CaseOwner,
  environments: Map<string, number>,
  batch: GroupedCase[],
  isShown: boolean,
): Promise<number[]> {
  await addEnvironments(trx, owner, environments, batch)
  const testIds = await takeTests(trx, owner, batch)
  const environmentOf = ({ environment }: ReportCase) =>
    environment === null ? 0 : (environments.get(environment) ?? 0)
  const places = batch.map(({ one }, index) => ({
    run_id: owner.runId,
    test_id: testIds[index] ?? 0,
    environment_id: environmentOf(one),
    report_id: owner.reportId,
    number: one.case,
  }))
  const failureIds = await insertFailures(trx, owner, batch, places)
  const rows = batch.map(({ one }, index): Insertable<Schema['test_results']> => {
    const place = places[index]! // `places` has an entry for each case of the batch
    return {
      run_id: place.run_id,
      test_id: place.test_id,
      environment_id: place.environment_id,
      report_id: place.report_id,
      number: place.number,
      case_number: isShown ? one.case : null,
      retried_by: null,
      is_marked: one.retryMark === null ? 0 : 1,
      outcome: toOutcomeCode(one.outcome),
      is_flaky: one.isFlaky ? 1 : 0,
      attempts: one.attempts.length,
      failed_attempts: countFailed(one),
      duration_ms: one.durationMs,
      classification: null,
      failure_id: failureIds.get(index) ?? null,
    }
  })
  await insertRows(trx, 'test_results', rows)
  return testIds
}

function countFailed({ attempts }: ReportCase): number {
  let count = 0
  for (const { outcome } of attempts) if (outcome === 'failed') count++
  return count
}

async function addEnvironments(
  trx: Db,
  { applicationId }: CaseOwner,
  environments: Map<string, number>,
  batch: GroupedCase[],
): Promise<void> {
  const missing = new Set(batch.flatMap(({ one: { environment } }) => (environment === null ? [] : [environment])))
  for (const name of missing) {
    if (environments.has(name)) continue
    const { id } = await trx
      .insertInto('environments')
      .values({ application_id: applicationId, name })
      .onConflict((conflict) =>
        conflict.columns(['application_id', 'name']).doUpdateSet({ name: (update) => update.ref('excluded.name') }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    environments.set(name, id)
  }
}

/** Finds the tests of a batch by identity and creates those that are new. */
async function takeTests(trx: Db, { workspaceId, applicationId }: CaseOwner, batch: GroupedCase[]): Promise<number[]> {
  const listed = batch.map(({ one }) => one.identity)
  const found = await findIds(trx, 'tests', applicationId, listed)
  const missing = new Map<string, ReportCase>()
  for (const [index, { one }] of batch.entries()) if (found[index] === null) missing.set(one.identity, one)
  if (missing.size === 0) return found.map((id) => id ?? 0)
  // A common order keeps concurrent transactions from waiting for each other in a circle.
  const created = [...missing.values()].toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const rows = created.map((one) => ({
    workspace_id: workspaceId,
    application_id: applicationId,
    identity: one.identity,
    suite: one.suite,
    class: one.class,
    name: one.name,
    parameters: one.parameters,
    file: one.file,
    created_at: Date.now(),
  }))
  await insertRows(trx, 'tests', rows, { conflict: 'on conflict (application_id, identity) do nothing' })
  const identities = created.map(({ identity }) => identity)
  const ids = await findIds(trx, 'tests', applicationId, identities)
  const idOf = new Map(identities.map((identity, index) => [identity, ids[index] ?? 0]))
  return batch.map(({ one }, index) => found[index] ?? idOf.get(one.identity) ?? 0)
}

/** The column that identifies a row of an application. */
const keyColumns = { tests: 'identity', failure_groups: 'key' } as const

/**
 * Finds the ids of rows by their keys, in the same order; null where there is none. Lists go to the database and back
 * as JSON, because a value or a row object for each takes longer than finding it.
 */
async function findIds(
  trx: Db,
  table: keyof typeof keyColumns,
  applicationId: number,
  keys: string[],
): Promise<(number | null)[]> {
  const list = JSON.stringify(keys)
  const key = sql.ref(`row.${keyColumns[table]}`)
  const query = isPostgres(trx)
    ? sql<{ ids: string }>`
        select json_agg("row".id order by listed.place)::text as ids
        from json_array_elements_text(${list}::json) with ordinality as listed (value, place)
        left join ${sql.table(table)} as "row" on "row".application_id = ${applicationId} and ${key} = listed.value
      `
    : sql<{ ids: string }>`
        select json_group_array("row".id order by listed.key) as ids
        from json_each(${list}) as listed
        left join ${sql.table(table)} as "row" on "row".application_id = ${applicationId} and ${key} = listed.value
      `
  const [row] = (await query.execute(trx)).rows
  return JSON.parse(row?.ids ?? '[]') as (number | null)[] // the statement above returns such a list
}

type Place = Pick<Insertable<Schema['test_results']>, 'run_id' | 'test_id' | 'environment_id' | 'report_id' | 'number'>

function toPlaceKey({ test_id, environment_id, number }: Pick<Place, 'test_id' | 'environment_id' | 'number'>): string {
  return `${test_id} ${environment_id} ${number}`
}

/**
 * Inserts the details of cases that failed or have several attempts: failures, attempts and outputs. Returns the ids of
 * the rows by the index of their case.
 */
async function insertFailures(
  trx: Db,
  owner: CaseOwner,
  batch: GroupedCase[],
  places: Place[],
): Promise<Map<number, number>> {
  const groupIds = await takeGroups(trx, owner, batch)
  const rows: Insertable<Schema['test_failures']>[] = []
  const indexes = new Map<string, number>()
  for (const [index, { one, group, hasTrace }] of batch.entries()) {
    const place = places[index]
    const isPlain = one.attempts.length === 1 && one.attempts[0]?.failures.length === 0 && one.outcome !== 'failed'
    if (isPlain || !place) continue
    const failure = findLastFailure(one)
    indexes.set(toPlaceKey(place), index)
    rows.push({
      ...place,
      group_id: group === null ? null : (groupIds.get(group.key) ?? null),
      is_device_failure: failure !== undefined && isDeviceFailure(failure) ? 1 : 0,
      type: failure?.type ?? null,
      message: failure?.message ?? null,
      trace: group === null ? 0 : toTrace(one, hasTrace),
      file: failure?.place?.file ?? null,
      line: failure?.place?.line ?? null,
      attempts: JSON.stringify(one.attempts),
      outputs: JSON.stringify(one.outputs),
    })
  }
  const returning = ['id', 'test_id', 'environment_id', 'number'] as const
  const inserted = await insertRows(trx, 'test_failures', rows, { returning })
  return new Map(inserted.map((row) => [indexes.get(toPlaceKey(row)) ?? 0, row.id]))
}

function toTrace({ outputs, attachments }: ReportCase, hasTrace: boolean): number {
  if (outputs.length > 0 || attachments.some(mayHoldTrace)) return 2
  return hasTrace ? 1 : 0
}

/** The first failure of the last attempt that failed. */
export function findLastFailure(one: Pick<ReportCase, 'attempts'>) {
  return one.attempts.findLast(({ outcome }) => outcome === 'failed')?.failures[0]
}

async function takeGroups(trx: Db, owner: CaseOwner, batch: GroupedCase[]): Promise<Map<string, number>> {
  const groups = new Map<string, FailureGroupKey>()
  for (const { group } of batch) if (group !== null) groups.set(group.key, group)
  const sorted = [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return takeGroupIds(trx, owner.applicationId, sorted)
}

/** Finds the group of a key, or creates it. */
export async function takeGroup(trx: Db, applicationId: number, group: FailureGroupKey): Promise<number> {
  const ids = await takeGroupIds(trx, applicationId, [group])
  return ids.get(group.key)! // the map has every group that was asked for
}

/** Returns the ids of groups by their keys. Groups that do not exist are created, and no other row is written. */
async function takeGroupIds(trx: Db, applicationId: number, groups: FailureGroupKey[]): Promise<Map<string, number>> {
  const keys = groups.map(({ key }) => key)
  const found = await findIds(trx, 'failure_groups', applicationId, keys)
  const missing = groups.filter((_, index) => found[index] === null)
  const ids = new Map((await insertGroups(trx, applicationId, missing)).map(({ key, id }) => [key, id]))
  for (const [index, id] of found.entries()) if (id !== null) ids.set(keys[index] ?? '', id)
  return ids
}

/** Creates groups and returns them, also those that another transaction has created in the meantime. */
async function insertGroups(trx: Db, applicationId: number, groups: FailureGroupKey[]) {
  const rows = groups.map(({ key, title, type, frames }) => ({
    application_id: applicationId,
    key,
    title,
    type,
    frames: JSON.stringify(frames),
    created_at: Date.now(),
  }))
  const conflict = 'on conflict (application_id, key) do update set key = excluded.key'
  return insertRows(trx, 'failure_groups', rows, { conflict, returning: ['id', 'key'] })
}

/** Makes the inserted rows of a report visible. */
export async function showCases(trx: Db, { runId, reportId }: CaseOwner): Promise<void> {
  await trx
    .updateTable('test_results')
    .set((update) => ({ case_number: update.ref('number') }))
    .where('run_id', '=', runId)
    .where('report_id', '=', reportId)
    .execute()
}
