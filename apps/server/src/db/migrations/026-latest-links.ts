import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required, unique, zero } from '../table-builder.ts'

/** Adds latest links: addresses of an application that always show its newest build. */
export async function addLatestLinks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, index } = createTableBuilder(db, engine)
  await withId('latest_links')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('name', 'text', required)
    .addColumn('secret', 'text', unique)
    // A link of a group that is deleted ends with it, because it must not show the builds of other groups.
    .addColumn('group_id', 'bigint', (column) => column.references('distribution_groups.id').onDelete('cascade'))
    .addColumn('branch', 'text')
    .addColumn('follows', 'text', required)
    .addColumn('shows_older', 'bigint', zero)
    .addColumn('link_password_hash', 'text')
    .addColumn('link_revoked_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await index('latest_links', ['application_id', 'id']).execute()
  await index('latest_links', ['workspace_id']).execute()
  await index('latest_links', ['group_id']).execute()
}
