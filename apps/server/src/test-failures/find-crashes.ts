import { ApiError, type TestCrash, type TestFailure } from '@fairlead/contract'
import { type Details, openDetails } from '@fairlead/reports'
import { readFile } from 'node:fs/promises'
import { findBlob } from '../blobs/records.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { type FailureRow, findDetailsBlob } from './failure-store.ts'
import { symbolicateCrash } from '../symbolication/symbolicate-crash.ts'
import { type AttachmentOfCase, listAttachmentsOfCase } from '../test-results/attachment-store.ts'
import { hasTrace, mayHoldTrace } from '../test-results/crash-text.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { parseJsonText } from '../db/json-text.ts'

export type CrashContext = Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>

/** Limits of the search for crashes: the size of an attachment, and the number of texts of a failure. */
const maxAttachmentBytes = 4 * 2 ** 20
const maxTexts = 12

export interface FailureContents extends Pick<TestFailure, 'attempts' | 'outputs'> {
  attachments: AttachmentOfCase[]
}

/** Reads the texts of a failure from the details of its report, and lists its attachments. */
export async function readFailureContents(context: CrashContext, row: FailureRow): Promise<FailureContents> {
  const blobId = await findDetailsBlob(context.db, row.report_id)
  const blob = blobId === null ? undefined : await findBlob(context.db, blobId)
  await using file = blob && (await context.blobs.open(blob.key))
  using details: Details | undefined = file && openDetails(file.path)
  const read = (reference: number | null, otherwise: string | null) =>
    reference === null || !details ? (otherwise ?? '') : details.read(reference)
  const attempts = parseJsonText(row.attempts)
  const outputs = parseJsonText(row.outputs)
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
    attachments: await listAttachmentsOfCase(context.db, row),
  }
}

/** A crash or stack trace with the text that it was found in. */
export interface FoundCrash extends TestCrash {
  text: string
}

/** Finds traces and logs of Android, `.ips` and `.crash` reports, and resolves them with the symbols of the build. */
export async function findCrashes(
  context: CrashContext,
  run: TestRunRow,
  { attempts, outputs, attachments }: FailureContents,
  signal: AbortSignal,
): Promise<FoundCrash[]> {
  const texts = [
    ...attempts.flatMap(({ failures }) => failures.map(({ text }) => ({ source: 'failure', text }))),
    ...outputs.map(({ text }) => ({ source: 'output', text })),
  ].filter(({ text }) => hasTrace(text))
  for (const attachment of attachments) {
    if (texts.length >= maxTexts) break
    if (attachment.size > maxAttachmentBytes || !mayHoldTrace(attachment)) continue
    await using file = await context.blobs.open(attachment.key)
    const text = await readFile(file.path, 'utf8')
    if (hasTrace(text)) texts.push({ source: attachment.name, text })
  }
  if (texts.length === 0) return []
  const query = await toSymbolsQuery(context, run)
  const crashes: FoundCrash[] = []
  for (const { source, text } of texts.slice(0, maxTexts)) {
    const crash = await symbolicateCrash(context, run.workspace_id, run.application_id, {
      text: [new TextEncoder().encode(text)],
      query,
      signal,
    }).catch((error: unknown) => {
      // Text that only looks like a crash is shown unchanged.
      if (error instanceof ApiError && error.code === 'unreadableReport') return undefined
      throw error
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the JSON of this operation's answer
    if (crash) crashes.push({ source, text, crash: JSON.parse(Buffer.concat(crash).toString()) as TestCrash['crash'] })
  }
  return crashes
}

/** The version of the run's build selects the mapping; without a build, the newest mapping is taken. */
async function toSymbolsQuery(context: CrashContext, run: TestRunRow) {
  if (run.build_id === null) return {}
  const build = await requireBuild(context, run.workspace_id, run.build_id).catch(() => undefined)
  return build ? { version: build.version, shortVersion: build.short_version } : {}
}
