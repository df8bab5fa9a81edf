import type { Insertable, Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, required } from '../table-builder.ts'
import { toSearchText } from '../search-text.ts'
import type { Schema } from '../schema.ts'

/** How many rows are read and written at once. */
const batchSize = 200

/**
 * Adds columns and tables that limit the work of one request: the searched text of a build, cut and lower-cased, and
 * release notes that a distribution's mails share.
 */
export async function addBoundedWork(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('build_search')
    .addColumn('build_id', 'bigint', (column) => column.primaryKey().references('builds.id').onDelete('cascade'))
    .addColumn('text', 'text', (column) => column.notNull())
    .execute()
  await fillSearch(db)

  await createTableBuilder(db, engine)
    .withId('mail_notes')
    .addColumn('text', 'text', required)
    .addColumn('html', 'text', required)
    .execute()
  await db.schema
    .alterTable('mails')
    .addColumn('notes_id', 'bigint', (column) => column.references('mail_notes.id'))
    .execute()
  await db.schema.createIndex('mails_by_notes_id').on('mails').column('notes_id').execute()
}

async function fillSearch(db: Kysely<Schema>): Promise<void> {
  for (let last = 0; ;) {
    const builds = await db
      .selectFrom('builds')
      .select(['id', 'short_version', 'version', 'name', 'file_name', 'source_branch', 'source_commit'])
      .select('release_notes')
      .where('id', '>', last)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const rows: Insertable<Schema['build_search']>[] = builds.map((build) => ({
      build_id: build.id,
      text: toSearchText(build),
    }))
    if (rows.length > 0) await db.insertInto('build_search').values(rows).execute()
    const end = builds.at(-1)
    if (!end || builds.length < batchSize) return
    last = end.id
  }
}
