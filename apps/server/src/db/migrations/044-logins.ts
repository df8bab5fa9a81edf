import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, required, unique, zero } from '../table-builder.ts'

const isOfLogin = 'account_id = old.account_id and workspace_id = old.workspace_id and is_login = 1'
const rank = (role: string) => `(case ${role} when 'admin' then 2 when 'developer' then 1 else 0 end)`

/** Each trigger: its table, when it runs, and the tokens that it deletes. */
const endings = [
  { name: 'left', table: 'members', event: 'delete', when: '', tokens: isOfLogin },
  {
    name: 'lowered',
    table: 'members',
    event: 'update of role',
    when: `when (${rank('new.role')} < ${rank('old.role')})`,
    tokens: `${isOfLogin} and ${rank('role')} > ${rank('new.role')}`,
  },
  {
    name: 'disabled',
    table: 'accounts',
    event: 'update of disabled_at',
    when: 'when (new.disabled_at is not null)',
    tokens: 'account_id = new.id and is_login = 1',
  },
]

/**
 * Adds logins of the command line that a person approves in a browser. The token of such a login is the person's own,
 * so triggers end it with the right that it came from, whichever way that ends.
 */
export async function addLogins(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, index } = createTableBuilder(db, engine)
  await db.schema.alterTable('api_tokens').addColumn('is_login', 'bigint', zero).execute()
  await withId('login_requests')
    .addColumn('device_code_hash', 'text', unique)
    .addColumn('user_code_hash', 'text', unique)
    .addColumn('name', 'text', required)
    .addColumn('address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('state', 'text', required)
    .addColumn('interval_ms', 'bigint', required)
    .addColumn('next_poll_at', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('account_id', 'bigint', (column) => column.references('accounts.id').onDelete('cascade'))
    .addColumn('workspace_id', 'bigint', (column) => column.references('workspaces.id').onDelete('cascade'))
    .addColumn('role', 'text')
    .addColumn('token_expires_at', 'bigint')
    .execute()
  await index('login_requests', ['expires_at']).execute()
  await index('login_requests', ['account_id']).execute()
  await index('login_requests', ['workspace_id']).execute()

  for (const { name, table, event, when, tokens } of endings) {
    const trigger = `create trigger fairlead_logins_${name} after ${event} on ${table} for each row ${when}`
    if (engine === 'sqlite') {
      await sql.raw(`${trigger} begin delete from api_tokens where ${tokens}; end`).execute(db)
    } else {
      await sql
        .raw(`create function fairlead_logins_${name}() returns trigger language plpgsql as $body$ begin
          delete from api_tokens where ${tokens};
          return null;
        end $body$`)
        .execute(db)
      await sql.raw(`${trigger} execute function fairlead_logins_${name}()`).execute(db)
    }
  }
}
