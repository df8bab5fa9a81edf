import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required, zero } from '../table-builder.ts'

/** Adds devices of testers, which of them a build's profile lists, and keys that register them at Apple. */
export async function addDevices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, table, index } = createTableBuilder(db, engine)

  await withId('devices')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('tester_id', 'bigint', of('testers.id'))
    .addColumn('udid', 'text', required)
    .addColumn('udid_key', 'text', required)
    .addColumn('product', 'text')
    .addColumn('os_version', 'text')
    .addColumn('name', 'text', required)
    .addColumn('is_apple_signed', 'bigint', zero)
    .addColumn('apple_state', 'text', required)
    .addColumn('apple_detail', 'text')
    .addColumn('created_at', 'bigint', required)
    .execute()
  await index('devices', ['workspace_id', 'id']).execute()
  await index('devices', ['tester_id', 'udid_key']).unique().execute()

  await table('device_answers')
    .addColumn('challenge_hash', 'text', (column) => column.primaryKey())
    .addColumn('tester_id', 'bigint', of('testers.id'))
    .addColumn('udid_hash', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await index('device_answers', ['tester_id']).execute()
  await index('device_answers', ['expires_at']).execute()

  await table('build_profiles')
    .addColumn('build_id', 'bigint', (column) => of('builds.id')(column).primaryKey())
    .addColumn('devices', 'text', required)
    .execute()

  await withId('app_store_keys')
    .addColumn('workspace_id', 'bigint', (column) => of('workspaces.id')(column).unique())
    .addColumn('issuer', 'text', required)
    .addColumn('key_name', 'text', required)
    .addColumn('private_key', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('created_by', 'text')
    .execute()
}
