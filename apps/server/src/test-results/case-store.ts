/** Writes the cases of a report: environments, tests, results, failures and their groups. */
import { invariant, requireAt, requireKey } from '@fairlead/invariant'
import type { ReportCase } from '@fairlead/reports'
import { type Insertable, sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { mayHoldTrace } from './crash-text.ts'
import type { FailureGroupKey } from './group-key.ts'
import { toOutcomeCode } from './outcome.ts'
import { toJsonText } from '../db/json-text.ts'

/** The environment of results that name none. */
export const noEnvironment = 0

export interface CaseOwner {
  workspaceId: number
  applicationId: number
  runId: number
  reportId: number
}

/** A case with the group of its last failure, if it failed in any attempt. */
export interface GroupedCase {
  testCase: ReportCase
  group: FailureGroupKey | null
  /** The functions of the product in which it failed, see `product-frames.ts`. */
  productKey: string | null
  /** Whether its last failure names a lost device, network or disk. */
  isOfMachine: boolean
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
    environment === null ? noEnvironment : requireKey(environments, environment)
  const places = batch.map(({ testCase }, index) => ({
    run_id: owner.runId,
    test_id: requireAt(testIds, index),
    environment_id: environmentOf(testCase),
    report_id: owner.reportId,
    number: testCase.case,
  }))
  const failureIds = await insertFailures(trx, owner, batch, places)
  const rows = batch.map(({ testCase }, index): Insertable<Schema['test_results']> => {
    const place = requireAt(places, index)
    return {
      run_id: place.run_id,
      test_id: place.test_id,
      environment_id: place.environment_id,
      report_id: place.report_id,
      number: place.number,
      case_number: isShown ? testCase.case : null,
      retried_by: null,
      is_marked: testCase.retryMark === null ? 0 : 1,
      outcome: toOutcomeCode(testCase.outcome),
      is_flaky: testCase.isFlaky ? 1 : 0,
      attempts: testCase.attempts.length,
      failed_attempts: countFailed(testCase),
      duration_ms: testCase.durationMs,
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
  const missing = new Set(batch.flatMap(({ testCase: { environment } }) => (environment === null ? [] : [environment])))
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
  const listed = batch.map(({ testCase }) => testCase.identity)
  const ids = await findIds(trx, 'tests', applicationId, listed)
  const missing = new Map<string, ReportCase>()
  for (const [index, { testCase }] of batch.entries()) if (ids[index] === null) missing.set(testCase.identity, testCase)
  const createdIds = await createTests(trx, workspaceId, applicationId, [...missing.values()])
  return batch.map(({ testCase }, index) => ids[index] ?? requireKey(createdIds, testCase.identity))
}

/** Creates tests. Returns the ids by their identities, also of those that another transaction has created meanwhile. */
async function createTests(
  trx: Db,
  workspaceId: number,
  applicationId: number,
  cases: ReportCase[],
): Promise<Map<string, number>> {
  if (cases.length === 0) return new Map()
  // A common order keeps concurrent transactions from waiting for each other in a circle.
  const created = cases.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const rows = created.map((testCase) => ({
    workspace_id: workspaceId,
    application_id: applicationId,
    identity: testCase.identity,
    suite: testCase.suite,
    class: testCase.class,
    name: testCase.name,
    parameters: testCase.parameters,
    file: testCase.file,
    created_at: Date.now(),
  }))
  await insertRows(trx, 'tests', rows, { conflict: 'on conflict (application_id, identity) do nothing' })
  const identities = created.map(({ identity }) => identity)
  const ids = await findIds(trx, 'tests', applicationId, identities)
  return new Map(
    ids.map((id, index) => {
      invariant(id !== null, 'a test exists after it was created')
      return [requireAt(identities, index), id]
    }),
  )
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
  if (keys.length === 0) return []
  const keyList = JSON.stringify(keys)
  const key = sql.ref(`row.${keyColumns[table]}`)
  const query = isPostgres(trx)
    ? sql<{ ids: string }>`
        select json_agg("row".id order by listed.place)::text as ids
        from json_array_elements_text(${keyList}::json) with ordinality as listed (value, place)
        left join ${sql.table(table)} as "row" on "row".application_id = ${applicationId} and ${key} = listed.value
      `
    : sql<{ ids: string }>`
        select json_group_array("row".id order by listed.key) as ids
        from json_each(${keyList}) as listed
        left join ${sql.table(table)} as "row" on "row".application_id = ${applicationId} and ${key} = listed.value
      `
  const { ids } = requireAt((await query.execute(trx)).rows, 0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement above returns such a list
  const list = JSON.parse(ids) as (number | null)[]
  invariant(list.length === keys.length, 'there is an id or null for each key')
  return list
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
  for (const [index, grouped] of batch.entries()) {
    const { testCase, group, productKey, isOfMachine, hasTrace } = grouped
    const place = requireAt(places, index)
    const isPlain =
      testCase.attempts.length === 1 && testCase.attempts[0]?.failures.length === 0 && testCase.outcome !== 'failed'
    if (isPlain) continue
    const failure = findLastFailure(testCase)
    indexes.set(toPlaceKey(place), index)
    rows.push({
      ...place,
      group_id: group === null ? null : requireKey(groupIds, group.key),
      product_key: productKey,
      is_device_failure: isOfMachine ? 1 : 0,
      type: failure?.type ?? null,
      message: failure?.message ?? null,
      trace: group === null ? 0 : toTrace(testCase, hasTrace),
      file: failure?.place?.file ?? null,
      line: failure?.place?.line ?? null,
      attempts: toJsonText(testCase.attempts),
      outputs: toJsonText(testCase.outputs),
    })
  }
  const returning = ['id', 'test_id', 'environment_id', 'number'] as const
  const inserted = await insertRows(trx, 'test_failures', rows, { returning })
  return new Map(inserted.map((row) => [requireKey(indexes, toPlaceKey(row)), row.id]))
}

function toTrace({ outputs, attachments }: ReportCase, hasTrace: boolean): number {
  if (outputs.length > 0 || attachments.some(mayHoldTrace)) return 2
  return hasTrace ? 1 : 0
}

/** The first failure of the last attempt that failed. */
export function findLastFailure(testCase: Pick<ReportCase, 'attempts'>) {
  return testCase.attempts.findLast(({ outcome }) => outcome === 'failed')?.failures[0]
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
  return requireKey(ids, group.key)
}

/** Returns the ids of groups by their keys. Groups that do not exist are created, and no other row is written. */
async function takeGroupIds(trx: Db, applicationId: number, groups: FailureGroupKey[]): Promise<Map<string, number>> {
  const keys = groups.map(({ key }) => key)
  const existing = await findIds(trx, 'failure_groups', applicationId, keys)
  const missing = groups.filter((_, index) => existing[index] === null)
  const ids = new Map((await insertGroups(trx, applicationId, missing)).map(({ key, id }) => [key, id]))
  for (const [index, id] of existing.entries()) if (id !== null) ids.set(requireAt(keys, index), id)
  return ids
}

/** Creates groups and returns them, also those that another transaction has created in the meantime. */
async function insertGroups(trx: Db, applicationId: number, groups: FailureGroupKey[]) {
  const rows = groups.map(({ key, title, type, frames }) => ({
    application_id: applicationId,
    key,
    title,
    type,
    frames: toJsonText(frames),
    created_at: Date.now(),
  }))
  const conflict = 'on conflict (application_id, key) do update set key = excluded.key'
  return insertRows(trx, 'failure_groups', rows, { conflict, returning: ['id', 'key'] })
}
