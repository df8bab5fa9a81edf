import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, maybe, of, required, zero } from '../table-builder.ts'

/** Adds what SDKs say of a crash beside its stack, comments and discarded groups, and links between applications. */
export async function addCrashFacts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, table, index } = createTableBuilder(db, engine)
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea'
  const add = (on: string) => db.schema.alterTable(on)

  // A release counts once for each environment, so that every count of releases is one of environments, too.
  await add('releases')
    .addColumn('environment', 'text', (column) => column.notNull().defaultTo('production'))
    .execute()
  await db.schema.dropIndex('releases_by_application_id_package_short_version_version').execute()
  await index('releases', ['application_id', 'package', 'short_version', 'version', 'environment']).unique().execute()

  await add('crashes').addColumn('platform', 'text').execute()
  await add('crashes').addColumn('tags', 'text').execute()
  await index('crashes', ['stack_id', 'occurred_at']).execute()

  await add('crash_groups').addColumn('message', 'text').execute()
  await add('crash_groups').addColumn('tracker_url', 'text').execute()
  await add('crash_groups').addColumn('is_still_crashing', 'bigint', zero).execute()
  await add('crash_groups').addColumn('resolved_at', 'bigint').execute()
  await add('crash_groups').addColumn('ignored_until_crashes', 'bigint').execute()
  await add('crash_groups').addColumn('ignored_until_installs', 'bigint').execute()

  await withId('crash_comments')
    .addColumn('group_id', 'bigint', of('crash_groups.id'))
    .addColumn('account_id', 'bigint', maybe('accounts.id'))
    .addColumn('text', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await index('crash_comments', ['group_id', 'id']).execute()
  await index('crash_comments', ['account_id']).execute()

  await table('crash_discards')
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('key_hash', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('discarded_at', 'bigint', required)
    .addPrimaryKeyConstraint('crash_discards_key', ['application_id', 'key_hash'])
    .execute()

  await add('session_days').addColumn('started_sketch', bytes).execute()
  await add('session_days').addColumn('crashed_sketch', bytes).execute()

  await add('applications').addColumn('linked_application_id', 'bigint').execute()
  await add('applications').addColumn('keeps_custom_data', 'bigint', zero).execute()

  // The frames of libraries are no longer taken for the app's, so all stacks are read again.
  await sql`update crash_stacks set is_stale = is_stale + 1`.execute(db)
}
