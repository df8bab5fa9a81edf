import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { trashedBuilds } from '../db/visible-builds.ts'

/** Counts the builds of a workspace. */
export async function countBuilds(db: Db, workspaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('applications')
    .select(sql<number | string | null>`sum(build_count)`.as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  // PostgreSQL's sum of bigint is numeric, which arrives as text.
  return Number(count ?? 0)
}

/**
 * Returns the bytes of the builds, symbols, test reports, attachments and pictures of feedback of a workspace, and of
 * the chunks that sentry-cli has uploaded within a day.
 */
export async function sumBytes(db: Db, workspaceId: number): Promise<number> {
  const sums = await Promise.all([
    ...(['builds', 'symbols_files', 'debug_chunks', 'feedback_pictures'] as const).map((table) =>
      db
        .selectFrom(table)
        .innerJoin('blobs', 'blobs.id', `${table}.blob_id`)
        .select((select) => select.fn.sum<number | string | null>('blobs.size').as('bytes'))
        .where(`${table}.workspace_id`, '=', workspaceId)
        .executeTakeFirstOrThrow(),
    ),
    ...(['test_reports.blob_id', 'test_reports.details_blob_id', 'test_attachments.blob_id'] as const).map((column) =>
      sumTestBytes(db, workspaceId, column),
    ),
  ])
  // PostgreSQL's sum of bigint is numeric, which arrives as text.
  return sums.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0)
}

/** Returns the bytes of the builds in the trash of a workspace. */
export async function sumTrashBytes(db: Db, workspaceId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom(trashedBuilds)
    .innerJoin('blobs', 'blobs.id', 'builds.blob_id')
    .select(sql<number | string | null>`sum(blobs.size)`.as('bytes'))
    .where('builds.workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** A file that several attachments name counts once for each, as builds with equal bytes do. */
async function sumTestBytes(
  db: Db,
  workspaceId: number,
  column: 'test_reports.blob_id' | 'test_reports.details_blob_id' | 'test_attachments.blob_id',
) {
  const applications = db.selectFrom('applications').select('id').where('workspace_id', '=', workspaceId)
  const sum = sql<number | string | null>`sum(blobs.size)`.as('bytes')
  if (column === 'test_attachments.blob_id') {
    return db
      .selectFrom('test_attachments')
      .innerJoin('blobs', 'blobs.id', column)
      .select(sum)
      .where('test_attachments.application_id', 'in', applications)
      .executeTakeFirstOrThrow()
  }
  return db
    .selectFrom('test_reports')
    .innerJoin('blobs', 'blobs.id', column)
    .select(sum)
    .where('test_reports.application_id', 'in', applications)
    .executeTakeFirstOrThrow()
}
