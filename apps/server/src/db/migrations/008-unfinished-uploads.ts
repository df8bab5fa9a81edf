import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Adds resumable uploads and the parts in which their bytes are stored. */
export async function addUnfinishedUploads(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const of = (target: string) => (column: ColumnDefinitionBuilder) =>
    column.notNull().references(target).onDelete('cascade')
  const maybeOf = (target: string) => (column: ColumnDefinitionBuilder) => column.references(target).onDelete('cascade')
  const index = (on: string, columns: string[]) =>
    db.schema
      .createIndex(`${on}_by_${columns.join('_')}`)
      .on(on)
      .columns(columns)

  await db.schema
    .createTable('unfinished_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('api_token_id', 'bigint', maybeOf('api_tokens.id'))
    .addColumn('account_id', 'bigint', maybeOf('accounts.id'))
    .addColumn('alias', 'text', required)
    .addColumn('length', 'bigint', required)
    .addColumn('received', 'bigint', required)
    .addColumn('file_name', 'text')
    .addColumn('source_branch', 'text')
    .addColumn('source_commit', 'text')
    .addColumn('source_ci_url', 'text')
    .addColumn('idempotency_key', 'text')
    .addColumn('build_id', 'bigint', maybeOf('builds.id'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await index('unfinished_uploads', ['workspace_id']).execute()
  await index('unfinished_uploads', ['application_id']).execute()
  await index('unfinished_uploads', ['api_token_id']).execute()
  await index('unfinished_uploads', ['account_id']).execute()
  await index('unfinished_uploads', ['build_id']).execute()
  await index('unfinished_uploads', ['expires_at']).execute()

  await db.schema
    .createTable('upload_parts')
    .addColumn('upload_id', 'text', of('unfinished_uploads.id'))
    .addColumn('start', 'bigint', required)
    .addColumn('size', 'bigint', required)
    .addColumn('blob_key', 'text', required)
    .addColumn('position', 'bigint', required)
    .addPrimaryKeyConstraint('upload_parts_key', ['upload_id', 'start'])
    .execute()
  await index('upload_parts', ['blob_key']).execute()
}
