import type { TestComparison, TestResult } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { failed, passed } from '../test-results/outcome.ts'
import { listCases, listTestIds } from './compare-store.ts'
import { listResultsOfTests } from '../test-results/result-store.ts'

/** The most results in each list of a comparison; the counts include all results. */
const maxListed = 1000

interface Side {
  /** The codes of outcomes by test, case and environment. */
  cases: Map<string, number>
  tests: Set<number>
}

/** Compares a run with an older one. */
export async function compareRuns(db: Db, runId: number, baseRunId: number): Promise<TestComparison> {
  const [here, there] = [await readSide(db, runId), await readSide(db, baseRunId)]
  const keys = { newFailures: [], fixed: [], stillFailing: [], appeared: [], vanished: [] } as Record<
    keyof TestComparison['counts'],
    string[]
  >
  for (const [key, outcome] of here.cases) {
    const before = there.cases.get(key)
    if (outcome === failed) keys[before === failed ? 'stillFailing' : 'newFailures'].push(key)
    else if (outcome === passed && before === failed) keys.fixed.push(key)
    if (!there.tests.has(toTestId(key))) keys.appeared.push(key)
  }
  for (const key of there.cases.keys()) if (!here.tests.has(toTestId(key))) keys.vanished.push(key)
  const list = (name: keyof typeof keys, from: number) => readCases(db, from, keys[name])
  return {
    base: { runId: baseRunId },
    counts: {
      newFailures: keys.newFailures.length,
      fixed: keys.fixed.length,
      stillFailing: keys.stillFailing.length,
      appeared: keys.appeared.length,
      vanished: keys.vanished.length,
    },
    newFailures: await list('newFailures', runId),
    fixed: await list('fixed', runId),
    stillFailing: await list('stillFailing', runId),
    appeared: await list('appeared', runId),
    vanished: await list('vanished', baseRunId),
  }
}

function toTestId(key: string): number {
  return Number(key.slice(0, key.indexOf(' ')))
}

async function readSide(db: Db, runId: number): Promise<Side> {
  const cases = new Map<string, number>()
  const tests = new Set<number>()
  for (const { test_id, name, case_number, outcome } of await listCases(db, runId)) {
    tests.add(test_id)
    cases.set(`${test_id} ${case_number} ${name ?? ''}`, outcome)
  }
  return { cases, tests }
}

async function readCases(db: Db, runId: number, keys: string[]): Promise<TestResult[]> {
  const some = new Set(keys.slice(0, maxListed))
  const results = await listResultsOfTests(db, runId, [...new Set([...some].map(toTestId))])
  return results.filter((result) => some.has(`${result.testId} ${result.case} ${result.environment ?? ''}`))
}

/** Counts the tests of the base runs that did not run in the given runs, and all tests of the base runs. */
export async function countVanished(
  db: Db,
  runIds: number[],
  baseRunIds: number[],
): Promise<{ count: number; total: number }> {
  const here = await listTestIds(db, runIds)
  const there = await listTestIds(db, baseRunIds)
  return { count: [...there].filter((test) => !here.has(test)).length, total: there.size }
}
