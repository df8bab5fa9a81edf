/** Writes the cases of a report: environments, tests, results, failures and their groups. */
import type { ReportCase } from '@fairlead/reports'
import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import { selectInBatches } from '../db/in-batches.ts'
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

/** How many rows one statement inserts: with sixteen columns, half of SQLite's limit of parameters. */
const rowsPerStatement = 1000

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
      ...place,
      case_number: isShown ? one.case : null,
      retried_by: null,
      is_marked: one.retryMark === null ? 0 : 1,
      outcome: toOutcomeCode(one.outcome),
      is_flaky: one.isFlaky ? 1 : 0,
      attempts: one.attempts.length,
      failed_attempts: one.attempts.filter(({ outcome }) => outcome === 'failed').length,
      duration_ms: one.durationMs,
      classification: null,
      failure_id: failureIds.get(toPlaceKey(place)) ?? null,
    }
  })
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await trx
      .insertInto('test_results')
      .values(rows.slice(start, start + rowsPerStatement))
      .execute()
  }
  return testIds
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
  const idOf = new Map<string, number>()
  const find = async (identities: string[]) => {
    const rows = await selectInBatches(identities, (some) =>
      trx
        .selectFrom('tests')
        .select(['id', 'identity'])
        .where('application_id', '=', applicationId)
        .where('identity', 'in', some)
        .execute(),
    )
    for (const { id, identity } of rows) idOf.set(identity, id)
  }
  const caseOf = new Map(batch.map(({ one }) => [one.identity, one]))
  await find([...caseOf.keys()])
  // A common order keeps concurrent transactions from waiting for each other in a circle.
  const missing = [...caseOf.values()]
    .filter(({ identity }) => !idOf.has(identity))
    .toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  for (let start = 0; start < missing.length; start += rowsPerStatement) {
    await trx
      .insertInto('tests')
      .values(
        missing.slice(start, start + rowsPerStatement).map((one) => ({
          workspace_id: workspaceId,
          application_id: applicationId,
          identity: one.identity,
          suite: one.suite,
          class: one.class,
          name: one.name,
          parameters: one.parameters,
          file: one.file,
          created_at: Date.now(),
        })),
      )
      .onConflict((conflict) => conflict.columns(['application_id', 'identity']).doNothing())
      .execute()
  }
  if (missing.length > 0) await find(missing.map(({ identity }) => identity))
  return batch.map(({ one }) => idOf.get(one.identity) ?? 0)
}

type Place = Pick<Insertable<Schema['test_results']>, 'run_id' | 'test_id' | 'environment_id' | 'report_id' | 'number'>

function toPlaceKey({ test_id, environment_id, number }: Pick<Place, 'test_id' | 'environment_id' | 'number'>): string {
  return `${test_id} ${environment_id} ${number}`
}

/** Inserts the details of cases that failed or have several attempts: failures, attempts and outputs. */
async function insertFailures(
  trx: Db,
  owner: CaseOwner,
  batch: GroupedCase[],
  places: Place[],
): Promise<Map<string, number>> {
  const groupIds = await takeGroups(trx, owner, batch)
  const rows: Insertable<Schema['test_failures']>[] = []
  for (const [index, { one, group, hasTrace }] of batch.entries()) {
    const place = places[index]
    const isPlain = one.attempts.length === 1 && one.attempts[0]?.failures.length === 0 && one.outcome !== 'failed'
    if (isPlain || !place) continue
    const failure = findLastFailure(one)
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
  const ids = new Map<string, number>()
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const inserted = await trx
      .insertInto('test_failures')
      .values(rows.slice(start, start + rowsPerStatement))
      .returning(['id', 'test_id', 'environment_id', 'number'])
      .execute()
    for (const row of inserted) ids.set(toPlaceKey(row), row.id)
  }
  return ids
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
  const groups = new Map(batch.flatMap(({ group }) => (group === null ? [] : [[group.key, group] as const])))
  const ids = new Map<string, number>()
  for (const group of [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    ids.set(group.key, await takeGroup(trx, owner.applicationId, group))
  }
  return ids
}

/** Finds the group of a key, or creates it. */
export async function takeGroup(
  trx: Db,
  applicationId: number,
  { key, title, type, frames }: FailureGroupKey,
): Promise<number> {
  const { id } = await trx
    .insertInto('failure_groups')
    .values({
      application_id: applicationId,
      key,
      title,
      type,
      frames: JSON.stringify(frames),
      created_at: Date.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'key']).doUpdateSet({ key: (update) => update.ref('excluded.key') }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
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
