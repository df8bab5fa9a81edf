/**
 * Decides whether a failure is one that the test had before: all failures of the case are in groups that it had, and
 * its assertion is not another one of the same words.
 */
import { parseJsonText } from '../db/json-text.ts'
import { areOtherAssertions, type Asserted, shareValue } from '../test-results/asserted.ts'
import type { FailingRow } from '../test-results/failing-row.ts'
import { failed, infrastructure } from '../test-results/outcome.ts'
import type { BaseResult } from './base-run-store.ts'

interface EarlierFailure {
  result: BaseResult
  otherKeys: string[]
  assertion: Asserted | null
}

/** The most failures of the same name that one case is compared with besides that of its own number. */
const maxCompared = 50

/**
 * Lists the failures of one test and environment that it had before. Each earlier one excuses one case: several cases
 * may have one name, such as those of a table, and the first of them must not excuse the others. Their order differs
 * where shards and workers write the report, so a case of another number counts if it shares a value.
 */
export function matchFailures(rows: FailingRow[], before: BaseResult[]): Set<FailingRow> {
  const left = new Set(before.filter(isFailure).map(readFailure))
  const ofNumber = Map.groupBy(left, ({ result }) => result.case_number)
  const matched = new Set<FailingRow>()
  const take = (row: FailingRow, failures: EarlierFailure[]) => {
    const found = failures.find((failure) => left.has(failure) && isSameFailure(row, failure))
    if (found !== undefined && left.delete(found)) matched.add(row)
  }
  for (const row of rows) take(row, ofNumber.get(row.caseNumber) ?? [])
  for (const row of rows) {
    if (left.size === 0) break
    if (matched.has(row)) continue
    const some = [...left.values().take(maxCompared)]
    const fitting = some.filter(({ assertion }) => shareValue(row.assertion, assertion))
    take(row, fitting)
  }
  return matched
}

function isFailure({ outcome, classification }: BaseResult): boolean {
  return outcome === failed && classification !== infrastructure
}

function readFailure(result: BaseResult): EarlierFailure {
  return {
    result,
    otherKeys: result.other_keys === null ? [] : parseJsonText(result.other_keys),
    assertion: result.assertion === null ? null : parseJsonText(result.assertion),
  }
}

/** Whether a test failed before as it fails now. */
function isSameFailure(row: FailingRow, { result, otherKeys, assertion }: EarlierFailure): boolean {
  const hadFirst = isSameGroup(row, result) && !areOtherAssertions(row.assertion, assertion)
  if (!hadFirst && (row.groupKey === null || !otherKeys.includes(row.groupKey))) return false
  return row.otherKeys.every((key) => key === result.group_key || otherKeys.includes(key))
}

function isSameGroup(row: FailingRow, before: BaseResult): boolean {
  if (before.group_id === row.groupId) return true
  if (row.judgedGroupId === null) return before.judged_group_id !== null && before.judged_group_id === row.groupId
  return before.judged_group_id === null && before.group_id === row.judgedGroupId
}
