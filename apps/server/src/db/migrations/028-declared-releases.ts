import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required, zero } from '../table-builder.ts'

/** Adds the releases that CI announces, and where they were deployed. */
export async function addDeclaredReleases(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, index } = createTableBuilder(db, engine)

  await withId('declared_releases')
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('version', 'text', required)
    .addColumn('url', 'text')
    .addColumn('commit_sha', 'text')
    .addColumn('is_archived', 'bigint', zero)
    .addColumn('created_at', 'bigint', required)
    .addColumn('released_at', 'bigint')
    .execute()
  await index('declared_releases', ['application_id', 'version']).unique().execute()
  await index('declared_releases', ['application_id', 'id']).execute()

  await withId('release_deploys')
    .addColumn('release_id', 'bigint', of('declared_releases.id'))
    .addColumn('environment', 'text', required)
    .addColumn('name', 'text')
    .addColumn('url', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .execute()
  await index('release_deploys', ['release_id', 'id']).execute()
}
