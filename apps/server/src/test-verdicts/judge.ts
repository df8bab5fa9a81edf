/**
 * Judgement: what a complete run says about a build. `complete.ts` reads the crashes in failures, calls `judgeRun` here
 * and brings the tests up to date, in this order:
 *
 * 1. `infrastructure.ts` finds failures of lost devices and machines.
 * 2. `test-history/flips.ts` records tests that failed and passed on one commit.
 * 3. The other failures are quarantined, flaky, known at the base run (`base-run.ts`), or new.
 * 4. `test-history/streaks.ts` records since when each test fails, and `verdict.ts` decides the result.
 *
 * Always true: class, counts and verdict of a run are written in one transaction while its row is locked, and judging
 * the same rows again gives the same verdict.
 */
import type { FailingRow } from '../test-results/failing-row.ts'
import type { FailureClass } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { listKnownFailures } from './base-run.ts'
import { recordFlips } from '../test-history/flips.ts'
import { findFlakyFailures } from './flaky-failures.ts'
import { findInfrastructureFailures } from './infrastructure.ts'
import { listFailingRows, listQuarantinedTests, sumRunDurations, writeClasses, writeGroupRuns } from './judge-store.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { updateRun } from '../test-results/run-store.ts'
import { recordStreaks } from '../test-history/streaks.ts'
import { toRunVerdict } from './verdict.ts'
import { toJsonText } from '../db/json-text.ts'

/**
 * Completes a run: classifies its failures by the earlier runs, records flips and ranges, and decides the
 * verdict. The first class that fits counts: infrastructure, quarantined, flaky, known, new.
 *
 * With `judgedAt`, a run that is complete is judged by what was known at that time, and a quarantined failure stays
 * quarantined. Returns whether other failures are of the infrastructure than before, which changes what the tests of
 * the run are said to be.
 */
export async function judgeRun(trx: Db, run: TestRunRow, judgedAt?: number): Promise<boolean> {
  const completed = { ...run, state: 'complete' as const, completed_at: run.completed_at ?? Date.now() }
  await updateRun(trx, run.id, { state: completed.state, completed_at: completed.completed_at })
  const rows = await listFailingRows(trx, run.id)
  const lost = await findInfrastructureFailures(trx, run, rows)
  await writeClasses(trx, run.id, [...lost], 'infrastructure')
  await writeClasses(
    trx,
    run.id,
    rows.filter((row) => !lost.has(row)),
    null,
  )
  const isFinalFailure = (row: FailingRow) => row.caseNumber !== null && row.hasFailed
  const rest = rows.filter((row) => !lost.has(row) && isFinalFailure(row))
  await recordFlips(trx, completed)
  const { classes, base } = await classify(trx, completed, rest, judgedAt)
  for (const [name, some] of classes) await writeClasses(trx, run.id, some, name)
  await recordStreaks(trx, completed, rest)
  await writeGroupRuns(trx, run.id, rows)
  const counts = new Map([...classes].map(([name, some]) => [name, some.length]))
  counts.set('infrastructure', [...lost].filter(isFinalFailure).length)
  const verdict = toRunVerdict(completed, counts, base)
  await updateRun(trx, run.id, { base_run_id: base?.runId ?? null, verdict: toJsonText(verdict) })
  // A run that is judged again later has the same cases, or has lost them by age.
  if (judgedAt === undefined) await updateRun(trx, run.id, { duration_ms: await sumRunDurations(trx, run.id) })
  return rows.some((row) => lost.has(row) !== (row.classification === 'infrastructure'))
}

interface Classified {
  classes: Map<FailureClass, FailingRow[]>
  base: { runId: number; commit: string | null } | null
}

async function classify(
  trx: Db,
  run: TestRunRow,
  rows: FailingRow[],
  judgedAt: number | undefined,
): Promise<Classified> {
  const quarantined = await listQuarantinedTests(trx, run.application_id, judgedAt ?? Date.now())
  const flaky = await findFlakyFailures(trx, run, rows, judgedAt)
  const { base, isKnown } = await listKnownFailures(trx, run, rows)
  const classes: Classified['classes'] = new Map()
  for (const row of rows) {
    const wasQuarantined = judgedAt !== undefined && row.classification === 'quarantined'
    const name =
      wasQuarantined || quarantined.has(row.testId)
        ? 'quarantined'
        : flaky.has(row)
          ? 'flaky'
          : isKnown(row)
            ? 'known'
            : 'new'
    classes.set(name, [...(classes.get(name) ?? []), row])
  }
  return { classes, base }
}
