import { lookAfterTests } from '../alerts/look-after-tests.ts'
import type { Verdict } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { countNames, type TestRunRow } from '../test-results/run.ts'
import { findRunBefore, requireRunRow } from '../test-results/run-store.ts'

/**
 * Tells hooks of a run that was judged: that it completed, once, and that its result is another than that of the
 * branch's run before, or than its own before another report joined it.
 */
export async function tellOfRun(trx: Db, before: TestRunRow): Promise<void> {
  const run = await requireRunRow(trx, before.id)
  const result = toResult(run)
  const of = { workspaceId: run.workspace_id, applicationId: run.application_id }
  const facts = {
    testRunId: run.id,
    branch: run.branch,
    commit: run.commit_hash,
    buildId: run.build_id,
    counts: Object.fromEntries(countNames.map((name) => [name, run[name]])),
    result,
  }
  await lookAfterTests(trx, run.application_id)
  // A run that was judged may be open again, because it waits for shards.
  const isFirst = before.verdict === null
  if (isFirst) await tellHooks(trx, { type: 'testRun.completed', ...of }, () => ({ data: facts }))
  const from = isFirst ? toResult(await findRunBefore(trx, run)) : toResult(before)
  if (from === null || from === result) return
  await tellHooks(trx, { type: 'testRun.verdictChanged', ...of }, () => ({ data: { ...facts, from, to: result } }))
}

function toResult(run: Pick<TestRunRow, 'verdict'> | undefined): Verdict['result'] | null {
  return run?.verdict === null || run === undefined ? null : parseJsonText(run.verdict).result
}
