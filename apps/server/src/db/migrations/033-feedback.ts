import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, kept, maybe, of, required } from '../table-builder.ts'

/** Adds what testers wrote of builds, the pictures that came with it, and the setting of who may write. */
export async function addFeedback(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, table, index } = createTableBuilder(db, engine)

  await withId('feedback')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('build_id', 'bigint', of('builds.id'))
    .addColumn('tester_id', 'bigint', maybe('testers.id'))
    .addColumn('contact', 'text')
    .addColumn('text', 'text', required)
    .addColumn('user_agent', 'text')
    .addColumn('status', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await index('feedback', ['workspace_id', 'id']).execute()
  await index('feedback', ['application_id', 'status', 'id']).execute()
  await index('feedback', ['application_id', 'id']).execute()
  await index('feedback', ['build_id', 'id']).execute()
  await index('feedback', ['tester_id']).execute()

  await table('feedback_pictures')
    .addColumn('feedback_id', 'bigint', of('feedback.id'))
    .addColumn('number', 'bigint', required)
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('blob_id', 'bigint', kept('blobs.id'))
    .addColumn('content_type', 'text', required)
    .addColumn('width', 'bigint', required)
    .addColumn('height', 'bigint', required)
    .addPrimaryKeyConstraint('feedback_pictures_key', ['feedback_id', 'number'])
    .execute()
  await index('feedback_pictures', ['workspace_id']).execute()
  await index('feedback_pictures', ['blob_id']).execute()

  await db.schema
    .alterTable('workspaces')
    .addColumn('feedback', 'text', (column) => column.notNull().defaultTo('everyone'))
    .execute()
}
