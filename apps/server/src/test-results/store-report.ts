/**
 * Results: the rows of reports, and the runs that they add up to.
 *
 * 1. `read-cases.ts` gives each failed case the group of its failure (`group-case.ts`).
 * 2. `case-id-store.ts` finds or creates tests and groups, and `case-store.ts` inserts results and failures. Those of a
 *    large report are written in several transactions and hidden until the last one, or all by the last one.
 * 3. `renumber.ts` decides from all reports of the run which rows are cases and which are attempts of one case.
 * 4. The report is published with its blobs, and the counters of the run change, in one transaction.
 * 5. `sweep.ts` deletes what a process that died has left.
 *
 * Always true: the counters of a run equal its visible rows, and the order in which its reports come does not matter.
 */
import { requireKey } from '@fairlead/invariant'
import { measureCases, openDetails, type ReportSummary } from '@fairlead/reports'
import type { ApplicationRow } from '../applications/application.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { commitUpload } from '../blobs/commit.ts'
import { type KeptFile, retainBlobs } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { type AttachedFile, insertAttachments, keepAttachments, listAttachments } from './attachment-store.ts'
import { type CaseIds, takeCaseIds } from './case-id-store.ts'
import { insertCases, insertResults } from './case-store.ts'
import { showCases } from './show-cases-store.ts'
import type { CaseOwner, GroupedCase } from './grouped-case.ts'
import { cutBatches, readCases } from './read-cases.ts'
import type { ReportHeaders } from './report-headers.ts'
import { deleteReport } from './delete-report-store.ts'
import { findPublishedReport, insertReport, publishReport, toShardIndex } from './report-store.ts'
import { renumberTests } from './renumber.ts'
import { readGreenCases } from './renumber-store.ts'
import { countNames, hasAllShards, leftAloneMs, parseShards, quietMs, type TestRunRow, Unfinished } from './run.ts'
import { deleteRunWithoutReports, lockRun, lockRunOfKey, updateRun } from './run-store.ts'
import { toJsonText } from '../db/json-text.ts'

/** Reports up to this size are written in one transaction. Larger ones take turns with other requests. */
const casesPerTransaction = 1000
/** The bytes of cases, as text, up to which all cases of a report are held in memory. */
const heldBytes = 12 * 2 ** 20

export interface StoredReport {
  runId: number
  reportId: number
  duplicate: boolean
}

interface Job {
  application: ApplicationRow
  headers: ReportHeaders
  staged: StagedFile
  summary: ReportSummary
}

interface KeptReport {
  original: KeptFile
  details: KeptFile | null
  attachments: (AttachedFile | null)[]
}

/**
 * Keeps the upload, its details and its attachments as blobs and adds its cases to the run. The rows of a large report
 * are written in several transactions and stay hidden until the last one, so nobody sees half of it.
 */
export async function storeReport(
  context: AppContext,
  application: ApplicationRow,
  headers: ReportHeaders,
  staged: StagedFile,
  summary: ReportSummary,
): Promise<StoredReport> {
  const job = { application, headers, staged, summary }
  return commitUpload(context, async (keep) => {
    const details = await context.blobs.staging.adopt(summary.detailsPath)
    using texts = details.size === 0 ? undefined : openDetails(summary.detailsPath)
    const cases = readCases(summary, texts)
    const isSmall = summary.counts.cases <= casesPerTransaction
    const small = isSmall ? (await Array.fromAsync(cases)).flat() : []
    const kept: KeptReport = {
      details: details.size === 0 ? null : await keep(details),
      attachments: await keepAttachments(context, summary, keep),
      original: await keep(staged),
    }
    if (isSmall) {
      return await context.db.transaction().execute(async (trx) => {
        const { owner, published } = await beginReport(trx, job)
        if (published) return published
        const testIds = await insertCases(trx, owner, new Map(), small, true)
        return endReport(trx, owner, job, kept, testIds, small)
      })
    }
    return await storeInTurns(context.db, job, kept, cases)
  })
}

async function storeInTurns(db: Db, job: Job, kept: KeptReport, cases: AsyncIterable<GroupedCase[]>) {
  const { owner, published } = await db.transaction().execute((trx) => beginReport(trx, job))
  if (published) return published
  const store = mayStoreAtOnce(db, job) ? storeAtOnce : storeHidden
  try {
    const stored = await store(db, owner, job, kept, cutBatches(cases, casesPerTransaction))
    // After the transaction, because deleting many rows takes long, and others would wait for it.
    if (stored.result.duplicate) await deleteReport(db, owner.runId, owner.reportId)
    return stored
  } catch (error) {
    await deleteReport(db, owner.runId, owner.reportId)
    await deleteRunWithoutReports(db, owner.runId)
    throw error
  }
}

type Batches = AsyncIterable<GroupedCase[]>

/**
 * Whether one transaction may insert all results. On PostgreSQL, writing each row again to show it costs as much as
 * inserting it, and others do not wait for this long transaction, because it locks nothing before its end.
 */
function mayStoreAtOnce(db: Db, { summary }: Job): boolean {
  return isPostgres(db) && measureCases(summary.casesPath) <= heldBytes
}

/** Inserts what results refer to in short transactions, which may wait for each other, and then all results in one. */
async function storeAtOnce(db: Db, owner: CaseOwner, job: Job, kept: KeptReport, batches: Batches) {
  const environments = new Map<string, number>()
  const held: { batch: GroupedCase[]; ids: CaseIds }[] = []
  for await (const batch of batches) {
    const ids = await db.transaction().execute((trx) => takeCaseIds(trx, owner, environments, batch))
    held.push({ batch, ids })
  }
  return db.transaction().execute(async (trx) => {
    for (const { batch, ids } of held) await insertResults(trx, owner, batch, ids, true)
    const testIds = held.flatMap(({ ids }) => ids.tests)
    const cases = held.flatMap(({ batch }) => batch)
    return endReport(trx, owner, job, kept, testIds, cases)
  })
}

/** Inserts hidden results in several transactions and shows them in the last one. */
async function storeHidden(db: Db, owner: CaseOwner, job: Job, kept: KeptReport, batches: Batches) {
  const environments = new Map<string, number>()
  const testIds: number[] = []
  const withParts: GroupedCase[] = []
  for await (const batch of batches) {
    const ids = await db.transaction().execute((trx) => insertCases(trx, owner, environments, batch, false))
    for (const id of ids) testIds.push(id)
    for (const grouped of batch) if (grouped.testCase.attachments.length > 0) withParts.push(grouped)
  }
  return db.transaction().execute(async (trx) => {
    await showCases(trx, owner, testIds)
    return endReport(trx, owner, job, kept, testIds, withParts)
  })
}

interface Begun {
  owner: CaseOwner
  /** The report with the same bytes that the run has already. If it is there, nothing was inserted. */
  published: Stored | undefined
}

interface Stored {
  result: StoredReport
  used: string[]
}

/** Locks the run, and inserts the report unless the run has it already. */
async function beginReport(trx: Db, job: Job): Promise<Begun> {
  const { application, headers, summary } = job
  const now = Date.now()
  const run = await lockRunOfKey(trx, {
    workspace_id: application.workspace_id,
    application_id: application.id,
    run_key: headers.key,
    branch: headers.branch,
    commit_hash: headers.commit,
    base_commit: headers.baseCommit,
    ci_url: headers.ciUrl,
    build_id: headers.buildId,
    attempt: headers.attempt,
    state: 'open',
    shards_expected: null,
    shards_received: toJsonText<number[]>([]),
    base_run_id: null,
    verdict: null,
    created_at: now,
    updated_at: now,
    completed_at: null,
  })
  const published = await findPublished(trx, job, run.id)
  const reportId = published?.result.reportId ?? (await insertReport(trx, run.id, application.id, headers, summary))
  const owner = { workspaceId: application.workspace_id, applicationId: application.id, runId: run.id, reportId }
  return { owner, published }
}

async function findPublished(trx: Db, { application, headers, staged }: Job, runId: number) {
  const reportId = await findPublishedReport(trx, application.id, headers, staged.sha256)
  return reportId === undefined ? undefined : { result: { runId, reportId, duplicate: true }, used: [] }
}

/** Makes a report part of its run: blobs, attachments, numbers of cases, counters, and the job that completes it. */
async function endReport(
  trx: Db,
  owner: CaseOwner,
  job: Job,
  kept: KeptReport,
  testIds: number[],
  cases: GroupedCase[],
): Promise<Stored> {
  const { headers, staged, summary } = job
  // Locked first, so that of two equal uploads at a time the second one sees the first.
  const run = await lockRun(trx, owner.runId)
  const published = await findPublished(trx, job, owner.runId)
  if (published) return published
  const attachments = listAttachments(kept.attachments, cases)
  const details = kept.details === null ? [] : [kept.details]
  const files = [kept.original, ...details, ...attachments.map((one) => one.kept)]
  const blobOf = await retainBlobs(trx, files)
  await insertAttachments(trx, owner, attachments, blobOf)
  await publishReport(trx, owner.reportId, {
    sha256: staged.sha256,
    blob_id: blobOf(kept.original).id,
    details_blob_id: kept.details === null ? null : blobOf(kept.details).id,
  })
  const joined = run.report_count === 0 ? await listRetried(trx, run.id, testIds) : testIds
  const delta = await renumberTests(trx, run, owner.reportId, joined)
  const counts = Object.fromEntries(countNames.map((name) => [name, run[name] + summary.counts[name] + delta[name]]))
  const shards = addShard(run, headers)
  const isComplete = run.state === 'complete' && !announcesShards(run, shards)
  const unfinished = isComplete ? { unfinished: Unfinished.judgement } : { state: 'open' as const, completed_at: null }
  await updateRun(trx, run.id, { ...counts, ...shards, ...mergeHeaders(run, headers, summary), ...unfinished })
  const isDue = isComplete || (shards.shards_expected !== null && hasAllShards(shards))
  // The request judges the run at once. The job does it if this process dies before.
  const runAt = Date.now() + (isDue ? leftAloneMs : quietMs)
  await enqueueJobs(trx, [
    { kind: 'complete-test-run', key: `complete-test-run ${run.id}`, payload: { runId: run.id }, runAt },
  ])
  return {
    result: { runId: run.id, reportId: owner.reportId, duplicate: false },
    used: files.map((file) => blobOf(file).key),
  }
}

/**
 * Lists the tests whose rows in the first report of a run may be retries: those with more rows than they had cases when
 * they were last green. All other rows are the cases that they were written as.
 */
async function listRetried(trx: Db, runId: number, testIds: number[]): Promise<number[]> {
  const counts = new Map<number, number>()
  for (const id of testIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  const repeated = [...counts].flatMap(([id, count]) => (count > 1 ? [id] : []))
  const greenOf = await readGreenCases(trx, runId, repeated)
  return repeated.filter((id) => requireKey(counts, id) > (greenOf.get(id) ?? Infinity))
}

function addShard(run: TestRunRow, { shard }: ReportHeaders) {
  if (shard === null) return { shards_expected: run.shards_expected, shards_received: run.shards_received }
  const received = [...new Set([...parseShards(run), toShardIndex({ shard })])].toSorted((a, b) => a - b)
  return {
    shards_expected: Math.max(run.shards_expected ?? 0, shard.count),
    shards_received: toJsonText(received),
  }
}

/** Whether a report announces shards that its run did not expect, because another job had completed it. */
function announcesShards(run: TestRunRow, shards: ReturnType<typeof addShard>): boolean {
  return shards.shards_expected !== run.shards_expected && !hasAllShards(shards)
}

/** A later report fills in what the first ones left out. */
function mergeHeaders(run: TestRunRow, headers: ReportHeaders, summary: ReportSummary) {
  return {
    branch: run.branch ?? headers.branch,
    commit_hash: run.commit_hash ?? headers.commit,
    base_commit: run.base_commit ?? headers.baseCommit,
    ci_url: run.ci_url ?? headers.ciUrl,
    build_id: run.build_id ?? headers.buildId,
    attempt: Math.max(run.attempt, headers.attempt),
    has_left_out: run.has_left_out === 1 || summary.isIncomplete ? 1 : 0,
    has_crashed: run.has_crashed === 1 || summary.isInfrastructureFailure ? 1 : 0,
    report_count: run.report_count + 1,
    updated_at: Date.now(),
  }
}
