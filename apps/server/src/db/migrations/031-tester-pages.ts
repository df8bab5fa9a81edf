import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, maybe, of, required, zero } from '../table-builder.ts'

/** Adds the pages of testers, what they opened, reminders, and addresses that take no more mails. */
export async function addTesterPages(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = createTableBuilder(db, engine)
  const add = (on: string) => db.schema.alterTable(on)

  await add('testers').addColumn('link_salt', 'text').execute()

  await table('unsubscribes')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('email_key', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('unsubscribes_key', ['workspace_id', 'email_key'])
    .execute()

  await table('build_testers')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('build_id', 'bigint', of('builds.id'))
    .addColumn('tester_id', 'bigint', of('testers.id'))
    .addColumn('opened_at', 'bigint')
    .addColumn('reminded_at', 'bigint')
    .addColumn('reminder_count', 'bigint', zero)
    .addColumn('is_reminder_due', 'bigint', zero)
    .addPrimaryKeyConstraint('build_testers_key', ['build_id', 'tester_id'])
    .execute()
  await index('build_testers', ['tester_id']).execute()
  await index('build_testers', ['workspace_id']).execute()

  await add('mails').addColumn('tester_id', 'bigint', maybe('testers.id')).execute()
  await add('mails').addColumn('unsubscribe_url', 'text').execute()
  await index('mails', ['tester_id']).execute()
}
