import { ApiError, type TestCrash, type TestFailure } from '@fairlead/contract'
import { type Attempt, type Details, openDetails, type Output } from '@fairlead/reports'
import { readFile } from 'node:fs/promises'
import { findBlob } from '../blobs/records.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { symbolicateCrash } from '../symbolication/symbolicate-crash.ts'
import type { TestRunRow } from './run.ts'
import { requireRunOfWorkspace } from './run-store.ts'

type FailureRow = Row<'test_failures'>
type Found = Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>

/** Limits of the search for crashes: the size of an attachment, and the number of texts of a failure. */
const maxAttachmentBytes = 4 * 2 ** 20
const maxTexts = 12
const crashSigns = new RegExp(
  [
    String.raw`^\s*at [\w.$]+\.[\w$<>]+\(`,
    'FATAL EXCEPTION',
    String.raw`\*\*\* \*\*\* \*\*\*`,
    '^Incident Identifier:',
    String.raw`^\{"[^\n]{0,4000}"bug_type"`,
    String.raw`signal \d+ \(SIG`,
  ].join('|'),
  'm',
)

/**
 * Describes a failure with its texts, attachments and the crashes in them. Crashes are resolved whenever they are asked
 * for, so symbols that come later count at once.
 *
 * @throws {ApiError} testFailureNotFound
 */
export async function describeFailure(
  context: Found,
  workspaceId: number,
  id: number,
  signal: AbortSignal,
): Promise<TestFailure> {
  const { row, run } = await requireFailure(context, workspaceId, id)
  const texts = await readTexts(context, row)
  const attachments = await listAttachments(context, row)
  return {
    id: row.id,
    runId: row.run_id,
    testId: row.test_id,
    groupId: row.group_id,
    type: row.type,
    message: row.message,
    place: row.file === null ? null : { file: row.file, line: row.line },
    ...texts,
    attachments: attachments.map(({ id: attachmentId, name, content_type, size }) => ({
      id: attachmentId,
      name,
      contentType: content_type,
      size,
    })),
    crashes: await findCrashes(context, run, texts, attachments, signal),
    commit: run.commit_hash,
  }
}

/** @throws {ApiError} testFailureNotFound */
async function requireFailure(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<{ row: FailureRow; run: TestRunRow }> {
  const row = await db.selectFrom('test_failures').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError('testFailureNotFound')
  const run = await requireRunOfWorkspace(db, workspaceId, row.run_id).catch(() => undefined)
  if (!run) throw new ApiError('testFailureNotFound')
  return { row, run }
}

async function readTexts(context: Found, row: FailureRow): Promise<Pick<TestFailure, 'attempts' | 'outputs'>> {
  const report = await context.db
    .selectFrom('test_reports')
    .select('details_blob_id')
    .where('id', '=', row.report_id)
    .executeTakeFirst()
  const blobId = report?.details_blob_id ?? null
  const blob = blobId === null ? undefined : await findBlob(context.db, blobId)
  await using file = blob && (await context.blobs.open(blob.key))
  using details: Details | undefined = file && openDetails(file.path)
  const read = (reference: number | null, otherwise: string | null) =>
    reference === null || !details ? (otherwise ?? '') : details.read(reference)
  // Only `insertFailures` writes these columns.
  const attempts = JSON.parse(row.attempts) as Attempt[]
  const outputs = JSON.parse(row.outputs) as Output[]
  return {
    attempts: attempts.map(({ outcome, durationMs, failures }) => ({
      outcome,
      durationMs,
      failures: failures.map(({ type, message, details: reference }) => ({
        type,
        message,
        text: read(reference, message),
      })),
    })),
    outputs: outputs.map(({ stream, details: reference }) => ({ stream, text: read(reference, null) })),
  }
}

async function listAttachments({ db }: Found, row: FailureRow) {
  return db
    .selectFrom('test_attachments as attachment')
    .innerJoin('blobs', 'blobs.id', 'attachment.blob_id')
    .select(['attachment.id', 'attachment.name', 'attachment.content_type', 'blobs.size', 'blobs.key'])
    .where('attachment.run_id', '=', row.run_id)
    .where('attachment.test_id', '=', row.test_id)
    .where('attachment.environment_id', '=', row.environment_id)
    .where('attachment.report_id', '=', row.report_id)
    .where('attachment.number', '=', row.number)
    .orderBy('attachment.id')
    .execute()
}

/** Finds traces and logs of Android, `.ips` and `.crash` reports, and resolves them with the symbols of the build. */
async function findCrashes(
  context: Found,
  run: TestRunRow,
  { attempts, outputs }: Pick<TestFailure, 'attempts' | 'outputs'>,
  attachments: Awaited<ReturnType<typeof listAttachments>>,
  signal: AbortSignal,
): Promise<TestCrash[]> {
  const texts = [
    ...attempts.flatMap(({ failures }) => failures.map(({ text }) => ({ source: 'failure', text }))),
    ...outputs.map(({ text }) => ({ source: 'output', text })),
  ].filter(({ text }) => crashSigns.test(text))
  for (const { name, size, key } of attachments) {
    if (size > maxAttachmentBytes || texts.length >= maxTexts) continue
    await using file = await context.blobs.open(key)
    const text = await readFile(file.path, 'utf8')
    if (crashSigns.test(text)) texts.push({ source: name, text })
  }
  const query = await toSymbolsQuery(context, run)
  const crashes: TestCrash[] = []
  for (const { source, text } of texts.slice(0, maxTexts)) {
    const crash = await symbolicateCrash(context, run.workspace_id, run.application_id, {
      text: new TextEncoder().encode(text),
      query,
      signal,
    }).catch((error: unknown) => {
      // Text that only looks like a crash is shown as it is.
      if (error instanceof ApiError && error.code === 'unreadableReport') return undefined
      throw error
    })
    // The answer is the JSON that this operation of the contract describes.
    if (crash) crashes.push({ source, crash: JSON.parse(crash.toString()) as TestCrash['crash'] })
  }
  return crashes
}

/** The version of the run's build selects the mapping; without a build, the newest mapping is taken. */
async function toSymbolsQuery(context: Found, run: TestRunRow) {
  if (run.build_id === null) return {}
  const build = await requireBuild(context, run.workspace_id, run.build_id).catch(() => undefined)
  return build ? { version: build.version, shortVersion: build.short_version } : {}
}
