import type { NotNull } from 'kysely'
import type { Db } from '../db/open.ts'
import type { FailureRow } from './failure-store.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { parseJsonText, toJsonText } from '../db/json-text.ts'

/**
 * Lists the failures of a run whose traces have to be read: only one of each group if the trace is in the failure text.
 */
export async function listTracedFailures(db: Db, runId: number, limit: number): Promise<FailureRow[]> {
  const first = db
    .selectFrom('test_failures')
    .select((select) => select.fn.min('id').as('id'))
    .where('run_id', '=', runId)
    .where('trace', '=', 1)
    .groupBy('group_id')
  return db
    .selectFrom('test_failures')
    .innerJoin('test_reports as report', 'report.id', 'test_failures.report_id')
    .selectAll('test_failures')
    .where('test_failures.run_id', '=', runId)
    .where('report.sha256', 'is not', null)
    .where((where) => where.or([where('trace', '=', 2), where('test_failures.id', 'in', first)]))
    .orderBy('test_failures.id')
    .limit(limit)
    .execute()
}

/** The newest complete runs of an application that have failures with traces. */
export async function listRunsWithTraces(db: Db, applicationId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_runs')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('state', '=', 'complete')
    .where('failed', '>', 0)
    .where('retention', '<', 3)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Moves a failure, and the failures that it stands for, to another group, with the history of the group before. */
export async function moveFailures(
  trx: Db,
  run: TestRunRow,
  row: FailureRow,
  {
    groupId,
    crashTitle,
    productKey,
  }: { groupId: number | null; crashTitle: string | null; productKey: string | null | undefined },
): Promise<void> {
  const hasMoved = run.state === 'complete' && groupId !== row.group_id
  let failures = trx.updateTable('test_failures').set((update) => ({
    group_id: groupId,
    crash_title: crashTitle,
    ...(productKey !== undefined && { product_key: productKey }),
    ...(hasMoved && { judged_group_id: update.fn.coalesce('judged_group_id', 'group_id') }),
  }))
  failures =
    row.trace === 1
      ? failures
          .where('run_id', '=', row.run_id)
          .where('trace', '=', 1)
          .where('group_id', row.group_id === null ? 'is' : '=', row.group_id)
      : failures.where('id', '=', row.id)
  const moved = await failures.returning('test_id').execute()
  if (groupId === row.group_id || groupId === null || row.group_id === null) return
  if (hasMoved) await markMoved(trx, run.id)
  await moveFlips(trx, [...new Set(moved.map(({ test_id }) => test_id))], row.group_id, groupId)
  if (run.state === 'complete') await widenGroup(trx, groupId, run.id)
}

/** The class and the file of the test that failed. */
export async function readTestNames(trx: Db, { test_id }: FailureRow) {
  const { class: className, file } = await trx
    .selectFrom('tests')
    .select(['class', 'file'])
    .where('id', '=', test_id)
    .executeTakeFirstOrThrow()
  return { className, file }
}

/** Marks a complete run to be judged again. */
async function markMoved(trx: Db, runId: number): Promise<void> {
  await trx.updateTable('test_runs').set({ has_moved: 1 }).where('id', '=', runId).execute()
}

/** Marks the newest runs that were compared with a run, because their known failures are those of that run. */
export async function markComparedRuns(trx: Db, baseRunId: number, limit: number): Promise<void> {
  const newest = trx
    .selectFrom('test_runs')
    .select('id')
    .where('base_run_id', '=', baseRunId)
    .where('state', '=', 'complete')
    .orderBy('id', 'desc')
    .limit(limit)
  await trx
    .updateTable('test_runs')
    .set({ has_moved: 2 })
    .where('id', 'in', newest)
    .where('has_moved', '=', 0)
    .execute()
}

/** The oldest run of an application that has to be judged again. */
export async function findMovedRun(db: Db, applicationId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('test_runs')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('has_moved', '>', 0)
    .where('state', '=', 'complete')
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/** A test that is flaky in a group is flaky in the group that its failures moved to. */
async function moveFlips(trx: Db, testIds: number[], from: number, to: number): Promise<void> {
  for (let start = 0; start < testIds.length; start += 500) {
    const flips = await trx
      .selectFrom('flips')
      .selectAll()
      .where('test_id', 'in', testIds.slice(start, start + 500))
      .execute()
    for (const flip of flips) {
      const groupIds = parseJsonText(flip.group_ids)
      if (!groupIds.includes(from)) continue
      const moved = [...new Set([...groupIds, to])].toSorted((a, b) => a - b)
      await trx
        .updateTable('flips')
        .set({ group_ids: toJsonText(moved) })
        .where('test_id', '=', flip.test_id)
        .where('environment_id', '=', flip.environment_id)
        .where('commit_key', '=', flip.commit_key)
        .execute()
    }
  }
}

async function widenGroup(trx: Db, groupId: number, runId: number): Promise<void> {
  const group = trx.updateTable('failure_groups').where('id', '=', groupId)
  await group
    .set({ first_run_id: runId })
    .where((where) => where.or([where('first_run_id', 'is', null), where('first_run_id', '>', runId)]))
    .execute()
  await group
    .set({ last_run_id: runId })
    .where((where) => where.or([where('last_run_id', 'is', null), where('last_run_id', '<', runId)]))
    .execute()
}

/** Hides groups that have no failures any more from the lists. */
export async function hideEmptyGroups(trx: Db, groupIds: number[]): Promise<void> {
  const used = await trx
    .selectFrom('test_failures')
    .select('group_id')
    .distinct()
    .where('group_id', 'in', groupIds)
    .execute()
  const empty = groupIds.filter((id) => !used.some(({ group_id }) => group_id === id))
  if (empty.length === 0) return
  await trx
    .updateTable('failure_groups')
    .set({ first_run_id: null, last_run_id: null })
    .where('id', 'in', empty)
    .execute()
}

/** The most crashes that a verdict lists. */
const maxCrashes = 100

/** The crashes of the app in some runs. */
export async function listCrashes(db: Db, runIds: number[]) {
  if (runIds.length === 0) return []
  const rows = await db
    .selectFrom('test_failures')
    .innerJoin('test_reports as report', 'report.id', 'test_failures.report_id')
    .select(['test_failures.id', 'test_failures.test_id', 'test_failures.crash_title', 'test_failures.run_id'])
    .where('test_failures.run_id', 'in', runIds)
    .where('crash_title', 'is not', null)
    .where('report.sha256', 'is not', null)
    .orderBy('test_failures.id')
    .limit(maxCrashes)
    .$narrowType<{ crash_title: NotNull }>()
    .execute()
  return rows.map(({ id, test_id, crash_title: title }) => ({ failureId: id, testId: test_id, title }))
}
