import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required, zero } from '../table-builder.ts'

/** Adds the commits that sentry-cli sends with a release, from which builds of the release get theirs. */
export async function addReleaseCommits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = createTableBuilder(db, engine)
  await table('release_commit_lists')
    .addColumn('release_id', 'bigint', (column) => of('declared_releases.id')(column).primaryKey())
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('short_version', 'text')
    .addColumn('version', 'text', required)
    .addColumn('head', 'text', required)
    .addColumn('is_truncated', 'bigint', required)
    .addColumn('commit_count', 'bigint', required)
    .addColumn('file_count', 'bigint', required)
    .addColumn('received_at', 'bigint', required)
    .execute()
  await index('release_commit_lists', ['application_id', 'version']).execute()

  await table('release_commits')
    .addColumn('release_id', 'bigint', of('declared_releases.id'))
    .addColumn('place', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('committed_at', 'bigint', required)
    .addColumn('file_count', 'bigint', required)
    .addPrimaryKeyConstraint('release_commits_key', ['release_id', 'place'])
    .execute()

  await table('release_commit_files')
    .addColumn('release_id', 'bigint', of('declared_releases.id'))
    .addColumn('place', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('path', 'text', required)
    .addColumn('reversed_path', 'text', required)
    .addColumn('status', 'text', required)
    .addPrimaryKeyConstraint('release_commit_files_key', ['release_id', 'place', 'number'])
    .execute()

  await db.schema.alterTable('build_commits').addColumn('is_of_release', 'bigint', zero).execute()
}
