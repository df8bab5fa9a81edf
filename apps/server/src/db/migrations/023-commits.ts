import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required } from '../table-builder.ts'

/** Adds the commits of builds, and the files that they touched, which are searched by the ends of their paths. */
export async function addCommits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table } = createTableBuilder(db, engine)
  await table('build_commits')
    .addColumn('build_id', 'bigint', (column) => of('builds.id')(column).primaryKey())
    .addColumn('base', 'text')
    .addColumn('head', 'text', required)
    .addColumn('is_complete', 'bigint', required)
    .addColumn('is_truncated', 'bigint', required)
    .addColumn('commit_count', 'bigint', required)
    .addColumn('file_count', 'bigint', required)
    .addColumn('received_at', 'bigint', required)
    .execute()

  await table('commits')
    .addColumn('build_id', 'bigint', of('builds.id'))
    .addColumn('place', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('committed_at', 'bigint', required)
    .addColumn('subject', 'text')
    .addColumn('author_name', 'text')
    .addColumn('author_email', 'text')
    .addColumn('file_count', 'bigint', required)
    .addPrimaryKeyConstraint('commits_key', ['build_id', 'place'])
    .execute()

  await table('commit_files')
    .addColumn('build_id', 'bigint', of('builds.id'))
    .addColumn('place', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('path', 'text', required)
    .addColumn('reversed_path', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('previous_path', 'text')
    .addColumn('reversed_previous_path', 'text')
    .addColumn('hunks', 'text')
    .addPrimaryKeyConstraint('commit_files_key', ['build_id', 'place', 'number'])
    .execute()

  // The beginning of a reversed path is a range only where texts are compared byte by byte, as SQLite does.
  const bytewise = engine === 'sqlite' ? sql`` : sql`collate "C"`
  await sql`create index commit_files_by_reversed_path on commit_files (build_id, reversed_path ${bytewise})`.execute(
    db,
  )
  await sql`create index commit_files_by_reversed_previous_path
    on commit_files (build_id, reversed_previous_path ${bytewise}) where reversed_previous_path is not null`.execute(db)
}
