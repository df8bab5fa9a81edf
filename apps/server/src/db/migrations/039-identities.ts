import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required } from '../table-builder.ts'

/** Adds sign-in through OpenID providers: who people are there, and the roles that groups give. */
export async function addIdentities(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, withId, index } = createTableBuilder(db, engine)

  await db.schema.alterTable('accounts').addColumn('disabled_at', 'bigint').execute()
  await db.schema.alterTable('workspaces').addColumn('required_provider', 'text').execute()

  await withId('identities')
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addColumn('provider', 'text', required)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint', required)
    .addUniqueConstraint('identities_by_subject', ['provider', 'issuer', 'subject'])
    .execute()
  await index('identities', ['account_id']).execute()

  for (const name of ['provider', 'provider_session', 'logout_url']) {
    await db.schema.alterTable('sessions').addColumn(name, 'text').execute()
  }
  await db.schema
    .alterTable('sessions')
    .addColumn('identity_id', 'bigint', (column) => column.references('identities.id').onDelete('cascade'))
    .execute()
  await index('sessions', ['identity_id']).execute()

  await db.schema.alterTable('members').addColumn('hand_role', 'text').execute()
  await sql`update members set hand_role = role`.execute(db)
  await table('member_group_roles')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addColumn('provider', 'text', required)
    .addColumn('role', 'text', required)
    .addPrimaryKeyConstraint('member_group_roles_key', ['workspace_id', 'account_id', 'provider'])
    .execute()
  await index('member_group_roles', ['account_id', 'provider']).execute()

  await table('group_roles')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('position', 'bigint', required)
    .addColumn('provider', 'text', required)
    .addColumn('group_name', 'text', required)
    .addColumn('role', 'text', required)
    .addPrimaryKeyConstraint('group_roles_key', ['workspace_id', 'position'])
    .execute()
  await index('group_roles', ['provider', 'group_name']).execute()

  await table('pending_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addColumn('content', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await index('pending_links', ['account_id']).execute()
  await table('used_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', required)
    .execute()

  await addMakersOfTokens(db, engine)
}

/** Tokens know the name of who made them; the audit log knows the account. */
async function addMakersOfTokens(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('api_tokens')
    .addColumn('account_id', 'bigint', (column) => column.references('accounts.id').onDelete('set null'))
    .execute()
  await createTableBuilder(db, engine).index('api_tokens', ['account_id']).execute()
  const recordedId =
    engine === 'sqlite' ? sql`json_extract(e.details, '$.id')` : sql`cast(cast(e.details as json) ->> 'id' as bigint)`
  await sql`
    update api_tokens set account_id = (
      select min(e.actor_id) from audit_events e join accounts a on a.id = e.actor_id
      where e.workspace_id = api_tokens.workspace_id and e.action = 'apiToken.create' and e.actor_kind = 'account'
        and ${recordedId} = api_tokens.id
    )`.execute(db)
}
