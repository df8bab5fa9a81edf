import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required, zero } from '../table-builder.ts'

/**
 * Adds two-factor sign-in, verified addresses, the audit log, protected install links, and the upload that an
 * idempotency key was used for. Accounts that exist already count as verified.
 */
export async function addAccountsAndLinks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, withId, index } = createTableBuilder(db, engine)
  const add = (
    table: string,
    name: string,
    type: 'text' | 'bigint',
    build = (column: ColumnDefinitionBuilder) => column,
  ) => db.schema.alterTable(table).addColumn(name, type, build).execute()

  await add('workspaces', 'requires_two_factor', 'bigint', zero)
  await add('api_tokens', 'created_by', 'text')
  await add('builds', 'link_password_hash', 'text')
  await add('builds', 'link_revoked_at', 'bigint')
  await add('idempotency_keys', 'alias', 'text')
  await add('idempotency_keys', 'size', 'bigint')
  await add('idempotency_keys', 'sha256', 'text')
  await add('sessions', 'address', 'text')
  await add('sessions', 'user_agent', 'text')
  await add('invitations', 'mail_token_hash', 'text')
  await add('mails', 'secret', 'text')

  await add('accounts', 'verified_at', 'bigint')
  await sql`update accounts set verified_at = created_at`.execute(db)
  await add('accounts', 'is_server_admin', 'bigint', zero)
  await add('accounts', 'totp_secret', 'text')
  await add('accounts', 'totp_enabled_at', 'bigint')
  await add('accounts', 'totp_last_step', 'bigint', zero)

  await table('recovery_codes')
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addColumn('code_hash', 'text', required)
    .addPrimaryKeyConstraint('recovery_codes_key', ['account_id', 'code_hash'])
    .execute()

  await withId('audit_events')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('action', 'text', required)
    .addColumn('actor_kind', 'text', required)
    .addColumn('actor_id', 'bigint')
    .addColumn('actor_name', 'text', required)
    .addColumn('address', 'text')
    .addColumn('target', 'text')
    .addColumn('details', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await index('audit_events', ['workspace_id', 'id']).execute()
  await index('audit_events', ['created_at']).execute()
}
