import type { Kysely } from 'kysely'

/** Adds the build that a mail is about. Existing mails get none, so their icon stays a link. */
export async function addBuildOfMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('mails')
    .addColumn('build_id', 'bigint', (column) => column.references('builds.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('mails_by_build_id').on('mails').column('build_id').execute()
}
