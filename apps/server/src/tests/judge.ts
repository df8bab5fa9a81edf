import type { FailureClass } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { listKnownFailures } from './base-run.ts'
import { findFlakyGroups, recordFlips } from './flips.ts'
import { findInfrastructureFailures } from './infrastructure.ts'
import { type FailingRow, listFailingRows, listQuarantinedTests, writeClasses, writeGroupRuns } from './judge-store.ts'
import type { TestRunRow } from './run.ts'
import { updateRun } from './run-store.ts'
import { recordStreaks } from './streaks.ts'
import { toRunVerdict } from './verdict.ts'

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
  const lost = await findInfrastructureFailures(trx, run.id, rows)
  await writeClasses(trx, run.id, [...lost], 'infrastructure')
  await writeClasses(
    trx,
    run.id,
    rows.filter((row) => !lost.has(row)),
    null,
  )
  const rest = rows.filter((row) => !lost.has(row) && row.caseNumber !== null && row.hasFailed)
  await recordFlips(trx, completed)
  const classes = await classify(trx, completed, rest, judgedAt)
  for (const [name, some] of classes) await writeClasses(trx, run.id, some, name)
  const isLost = (row: FailingRow) => row.caseNumber !== null && row.hasFailed
  const lostCases = [...lost].filter(isLost)
  await recordStreaks(trx, completed, rest)
  await writeGroupRuns(trx, run.id, rows)
  const { baseRunId, baseCommit } = classes.base
  const counts = new Map([...classes].map(([name, some]) => [name, some.length]))
  counts.set('infrastructure', lostCases.length)
  const base = baseRunId === null ? null : { runId: baseRunId, commit: baseCommit }
  const verdict = toRunVerdict(completed, counts, base)
  await updateRun(trx, run.id, { base_run_id: baseRunId, verdict: JSON.stringify(verdict) })
  return rows.some((row) => lost.has(row) !== (row.classification === 'infrastructure'))
}

class Classes extends Map<FailureClass, FailingRow[]> {
  base: { baseRunId: number | null; baseCommit: string | null } = { baseRunId: null, baseCommit: null }
}

async function classify(trx: Db, run: TestRunRow, rows: FailingRow[], judgedAt: number | undefined): Promise<Classes> {
  const quarantined = await listQuarantinedTests(trx, run.application_id, judgedAt ?? Date.now())
  const flakyGroups = await findFlakyGroups(
    trx,
    rows.map(({ testId }) => testId),
    run.created_at,
    judgedAt,
  )
  const known = await listKnownFailures(trx, run, rows)
  const classes = new Classes()
  classes.base = known
  for (const row of rows) {
    const wasQuarantined = judgedAt !== undefined && row.classification === 'quarantined'
    const name =
      wasQuarantined || quarantined.has(row.testId)
        ? 'quarantined'
        : row.groupId !== null && flakyGroups.get(row.testId)?.has(row.groupId) === true
          ? 'flaky'
          : known.isKnown(row)
            ? 'known'
            : 'new'
    classes.set(name, [...(classes.get(name) ?? []), row])
  }
  return classes
}
