/**
 * Durations for `fairlead tests split`: how long the tests of a file, class and suite took together.
 *
 * Always true: all requests with one key get the same durations, whatever runs complete in between, because shards that
 * deal their files by different durations would leave tests out.
 */
import type { TestDuration, TestSplit } from '@fairlead/contract'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/open.ts'
import { parseJsonText } from '../db/json-text.ts'
import { toInstant } from '../http/instant.ts'
import { findSplitRow, insertSplit, listTimedCases, listTimedRuns, type TimedCase } from './split-store.ts'
import { listTestIds } from './update-tests-store.ts'

/** The runs that are looked at, and the most tests of them: of one very large run, no further ones are needed. */
const maxRuns = 10
const maxTests = 300_000
const testsPerTurn = 500
/** The most durations that an answer has; the longest are kept. */
const maxDurations = 10_000
/** How many pipelines of an application can be under way at once. */
const keptSplits = 200

/** The durations of an application's tests: of each file, class and suite the median of the last complete runs. */
export async function listTestDurations(db: Db, applicationId: number): Promise<TestDuration[]> {
  const timesOf = new Map<string, { names: Pick<TimedCase, 'file' | 'class' | 'suite'>; times: number[] }>()
  let tests = 0
  for (const runId of await listTimedRuns(db, applicationId, maxRuns)) {
    const sums = new Map<string, { names: Pick<TimedCase, 'file' | 'class' | 'suite'>; ms: number }>()
    for (let after = 0; tests < maxTests;) {
      const ids = await listTestIds(db, runId, after, testsPerTurn)
      const last = ids.at(-1)
      if (last === undefined) break
      for (const { file, class: className, suite, duration_ms } of await listTimedCases(db, runId, ids)) {
        const key = JSON.stringify([file, className, suite])
        const sum = sums.get(key) ?? { names: { file, class: className, suite }, ms: 0 }
        sums.set(key, { ...sum, ms: sum.ms + (duration_ms ?? 0) })
      }
      tests += ids.length
      after = last
      await setImmediate()
    }
    for (const [key, { names, ms }] of sums) {
      const known = timesOf.get(key)
      if (known) known.times.push(ms)
      else timesOf.set(key, { names, times: [ms] })
    }
    if (tests >= maxTests) break
  }
  return [...timesOf.values()]
    .map(({ names, times }) => ({ ...names, durationMs: toMedian(times) }))
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, maxDurations)
}

function toMedian(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, time) => sum + time, 0) / middle.length
}

/** The durations that all shards of a run get: those of the moment in which the first one asked. */
export async function createSplit(
  db: Db,
  owner: { workspaceId: number; applicationId: number },
  key: string,
): Promise<TestSplit> {
  const { applicationId } = owner
  let row = await findSplitRow(db, applicationId, key)
  if (!row) {
    const durations = await listTestDurations(db, applicationId)
    await insertSplit(db, { ...owner, key, durations }, keptSplits)
    row = await findSplitRow(db, applicationId, key)
  }
  if (!row) throw new Error(`The split of ${key} was deleted while it was made`)
  return { key, createdDate: toInstant(row.created_at), durations: parseJsonText(row.durations) }
}
