import type { Kysely } from 'kysely'

/** Attachments belong to an attempt of their case, if the report says so. */
export async function addAttemptsOfAttachments(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('test_attachments').addColumn('attempt', 'integer').execute()
}
