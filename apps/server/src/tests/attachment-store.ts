import type { ReportSummary } from '@fairlead/reports'
import type { StagedFile } from '../blobs/blob-store.ts'
import { type KeptFile, retainBlob } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { CaseOwner, GroupedCase } from './case-store.ts'

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
    const staged = path === '' ? null : await context.blobs.staging.adopt(path)
    files.push(staged && { kept: await keep(staged), contentType })
  }
  return files
}

/** Inserts a row for each attachment of a case. Returns the keys of the blobs that the rows refer to. */
export async function insertAttachments(
  trx: Db,
  owner: CaseOwner,
  files: (AttachedFile | null)[],
  cases: GroupedCase[],
): Promise<string[]> {
  const used: string[] = []
  for (const { one } of cases) {
    if (one.attachments.every(({ file }) => file === null)) continue
    const place = await findPlace(trx, owner, one)
    for (const { name, contentType, file } of one.attachments) {
      const attached = file === null ? undefined : files[file]
      if (!attached || !place) continue
      const blob = await retainBlob(trx, attached.kept)
      used.push(blob.key)
      await trx
        .insertInto('test_attachments')
        .values({
          run_id: owner.runId,
          application_id: owner.applicationId,
          report_id: owner.reportId,
          ...place,
          number: one.case,
          name: name.slice(0, 1000),
          content_type: contentType ?? attached.contentType,
          blob_id: blob.id,
        })
        .execute()
    }
  }
  return used
}

async function findPlace(trx: Db, owner: CaseOwner, one: GroupedCase['one']) {
  const test = await trx
    .selectFrom('tests')
    .select('id as test_id')
    .where('application_id', '=', owner.applicationId)
    .where('identity', '=', one.identity)
    .executeTakeFirst()
  const environment = await trx
    .selectFrom('environments')
    .select('id')
    .where('application_id', '=', owner.applicationId)
    .where('name', '=', one.environment ?? '')
    .executeTakeFirst()
  return test && { ...test, environment_id: one.environment === null ? 0 : (environment?.id ?? 0) }
}
