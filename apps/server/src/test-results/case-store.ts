/** Writes the cases of a report: results and failures, and by `case-id-store.ts` what they refer to. */
import { requireAt, requireKey } from '@fairlead/invariant'
import type { ReportCase } from '@fairlead/reports'
import type { Insertable } from 'kysely'
import { insertRows } from '../db/insert-rows.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { type CaseIds, takeCaseIds } from './case-id-store.ts'
import { mayHoldTrace } from './crash-text.ts'
import { type CaseOwner, findLastFailure, type GroupedCase, noEnvironment } from './grouped-case.ts'
import { toOutcomeCode } from './outcome.ts'
import { toJsonText } from '../db/json-text.ts'
import { insertResultRows, type NewResult } from './result-row-store.ts'

/** Inserts a batch of cases. Returns the ids of their tests, in their order. */
export async function insertCases(
  trx: Db,
  owner: CaseOwner,
  environments: Map<string, number>,
  batch: GroupedCase[],
  isShown: boolean,
): Promise<number[]> {
  const ids = await takeCaseIds(trx, owner, environments, batch)
  await insertResults(trx, owner, batch, ids, isShown)
  return ids.tests
}

/** Inserts the results and failures of a batch whose tests, environments and groups exist. */
export async function insertResults(
  trx: Db,
  owner: CaseOwner,
  batch: GroupedCase[],
  { tests, environments, groups }: CaseIds,
  isShown: boolean,
): Promise<void> {
  const environmentOf = ({ environment }: ReportCase) =>
    environment === null ? noEnvironment : requireKey(environments, environment)
  const places = batch.map(({ testCase }, index) => ({
    run_id: owner.runId,
    test_id: requireAt(tests, index),
    environment_id: environmentOf(testCase),
    report_id: owner.reportId,
    number: testCase.case,
  }))
  const failureIds = await insertFailures(trx, batch, places, groups)
  const rows = batch.map(({ testCase }, index): NewResult => {
    const { test_id, environment_id, number } = requireAt(places, index)
    return {
      test_id,
      environment_id,
      number,
      is_marked: testCase.retryMark === null ? 0 : 1,
      outcome: toOutcomeCode(testCase.outcome),
      is_flaky: testCase.isFlaky ? 1 : 0,
      attempts: testCase.attempts.length,
      failed_attempts: countFailed(testCase),
      duration_ms: testCase.durationMs,
      failure_id: failureIds.get(index) ?? null,
    }
  })
  await insertResultRows(trx, owner, rows, isShown)
}

function countFailed({ attempts }: ReportCase): number {
  let count = 0
  for (const { outcome } of attempts) if (outcome === 'failed') count++
  return count
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
  batch: GroupedCase[],
  places: Place[],
  groupIds: ReadonlyMap<string, number>,
): Promise<Map<number, number>> {
  const rows: Insertable<Schema['test_failures']>[] = []
  const indexes = new Map<string, number>()
  for (const [index, grouped] of batch.entries()) {
    const { testCase, group, productKey, otherKeys, assertion, isOfMachine, hasTrace } = grouped
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
      other_keys: otherKeys.length === 0 ? null : toJsonText(otherKeys),
      assertion: assertion === null ? null : toJsonText(assertion),
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
