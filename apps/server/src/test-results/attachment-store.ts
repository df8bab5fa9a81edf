import { toCleanName } from '@fairlead/contract'
import type { ReportSummary } from '@fairlead/reports'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { KeptFile } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { sniffType } from './sniff-type.ts'
import { type CaseOwner, type GroupedCase, noEnvironment } from './grouped-case.ts'

/** A file of the upload that is in the blob store, at its index in `ReportSummary.attachments`. */
export interface AttachedFile {
  kept: KeptFile
  contentType: string | null
}

/** Moves the files that cases name into the blob store. */
export async function keepAttachments(
  context: Pick<AppContext, 'blobs'>,
  summary: ReportSummary,
  keep: (file: StagedFile) => Promise<KeptFile>,
): Promise<(AttachedFile | null)[]> {
  const files: (AttachedFile | null)[] = []
  for (const { path, contentType } of summary.attachments) {
    // An attachment over its limit was left out, with a warning.
    if (path === '') {
      files.push(null)
      continue
    }
    const type = contentType ?? (await sniffType(path))
    files.push({ kept: await keep(await context.blobs.staging.adopt(path)), contentType: type })
  }
  return files
}

/** An attachment of a case whose bytes were kept. */
export interface CaseAttachment extends AttachedFile {
  testCase: GroupedCase['testCase']
  name: string
  attempt: number | null
}

/** Lists what the cases name, without files that are missing or were left out. */
export function listAttachments(files: (AttachedFile | null)[], cases: GroupedCase[]): CaseAttachment[] {
  return cases.flatMap(({ testCase }) =>
    testCase.attachments.flatMap(({ name, contentType, file, attempt }) => {
      const attached = file === null ? null : (files[file] ?? null)
      if (attached === null) return []
      const { kept } = attached
      return [
        {
          testCase,
          name: toCleanName(name).slice(0, 1000),
          attempt,
          kept,
          contentType: contentType ?? attached.contentType,
        },
      ]
    }),
  )
}

/** Inserts a row for each attachment of a case. */
export async function insertAttachments(
  trx: Db,
  owner: CaseOwner,
  attachments: CaseAttachment[],
  blobOf: (file: KeptFile) => { id: number },
): Promise<void> {
  for (const { testCase, name, attempt, kept, contentType } of attachments) {
    const place = await findPlace(trx, owner, testCase)
    if (!place) continue
    await trx
      .insertInto('test_attachments')
      .values({
        run_id: owner.runId,
        application_id: owner.applicationId,
        report_id: owner.reportId,
        ...place,
        number: testCase.case,
        attempt,
        name,
        content_type: contentType,
        blob_id: blobOf(kept).id,
      })
      .execute()
  }
}

async function findPlace(trx: Db, owner: CaseOwner, testCase: GroupedCase['testCase']) {
  const test = await trx
    .selectFrom('tests')
    .select('id as test_id')
    .where('application_id', '=', owner.applicationId)
    .where('identity', '=', testCase.identity)
    .executeTakeFirst()
  const environment = await trx
    .selectFrom('environments')
    .select('id')
    .where('application_id', '=', owner.applicationId)
    .where('name', '=', testCase.environment ?? '')
    .executeTakeFirst()
  return (
    test && {
      ...test,
      environment_id: testCase.environment === null ? noEnvironment : (environment?.id ?? noEnvironment),
    }
  )
}

/** The place of a case in its report: rows of results, failures and attachments hold these columns. */
export type CasePlace = Pick<Row<'test_attachments'>, 'run_id' | 'test_id' | 'environment_id' | 'report_id' | 'number'>

export interface AttachmentOfCase {
  id: number
  name: string
  attempt: number | null
  contentType: string | null
  size: number
  key: string
}

/** Lists the attachments of a case, oldest first. */
export async function listAttachmentsOfCase(db: Db, place: CasePlace): Promise<AttachmentOfCase[]> {
  return db
    .selectFrom('test_attachments as attachment')
    .innerJoin('blobs', 'blobs.id', 'attachment.blob_id')
    .select(['attachment.id', 'attachment.name', 'attachment.attempt', 'attachment.content_type as contentType'])
    .select(['blobs.size', 'blobs.key'])
    .where('attachment.run_id', '=', place.run_id)
    .where('attachment.test_id', '=', place.test_id)
    .where('attachment.environment_id', '=', place.environment_id)
    .where('attachment.report_id', '=', place.report_id)
    .where('attachment.number', '=', place.number)
    .orderBy('attachment.id')
    .execute()
}

/** Finds an attachment of a run that is shown, with its bytes. */
export async function findAttachment(db: Db, workspaceId: number, id: number) {
  return db
    .selectFrom('test_attachments as attachment')
    .innerJoin('test_runs as run', 'run.id', 'attachment.run_id')
    .innerJoin('blobs', 'blobs.id', 'attachment.blob_id')
    .select(['attachment.name', 'attachment.content_type', 'blobs.key', 'blobs.sha256', 'blobs.size'])
    .where('attachment.id', '=', id)
    .where('run.workspace_id', '=', workspaceId)
    .where('run.report_count', '>', 0)
    .executeTakeFirst()
}
