import type { Role } from '@fairlead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export interface AccountRecord extends Pick<
  Row<'accounts'>,
  'id' | 'email' | 'name' | 'is_server_admin' | 'verified_at' | 'totp_enabled_at' | 'disabled_at' | 'created_at'
> {
  last_used_at: number | null
}

export async function listAccountRecords(db: Db): Promise<AccountRecord[]> {
  return db
    .selectFrom('accounts')
    .select((select) => [
      'id',
      'email',
      'name',
      'is_server_admin',
      'verified_at',
      'totp_enabled_at',
      'disabled_at',
      'created_at',
      select
        .selectFrom('sessions')
        .select((session) => session.fn.max('sessions.last_used_at').as('last_used_at'))
        .whereRef('sessions.account_id', '=', 'accounts.id')
        .as('last_used_at'),
    ])
    .orderBy('id', 'desc')
    .execute()
}

export async function listAllMemberships(
  db: Db,
): Promise<{ account_id: number; workspace_id: number; name: string; role: Role }[]> {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['members.account_id', 'members.workspace_id', 'workspaces.name', 'members.role'])
    .orderBy('members.workspace_id')
    .execute()
}

export async function listWorkspaceRecords(db: Db, mailsAfter: number) {
  return db
    .selectFrom('workspaces')
    .select((select) => [
      'id',
      'name',
      'created_at',
      select
        .selectFrom('members')
        .select((member) => member.fn.countAll<number>().as('count'))
        .whereRef('members.workspace_id', '=', 'workspaces.id')
        .as('member_count'),
      select
        .selectFrom('applications')
        // PostgreSQL's sum of bigint is numeric, which arrives as text.
        .select(sql<number>`cast(coalesce(sum(applications.build_count), 0) as bigint)`.as('count'))
        .whereRef('applications.workspace_id', '=', 'workspaces.id')
        .as('build_count'),
      select
        .selectFrom('mails')
        .select((mail) => mail.fn.countAll<number>().as('count'))
        .whereRef('mails.workspace_id', '=', 'workspaces.id')
        .where('mails.created_at', '>', mailsAfter)
        .as('mail_count'),
    ])
    .orderBy('id', 'desc')
    .execute()
}

/** Returns whether an account has this e-mail key. */
export async function setServerAdmin(db: Db, emailKey: string, isServerAdmin: boolean): Promise<boolean> {
  const updated = await db
    .updateTable('accounts')
    .set({ is_server_admin: isServerAdmin ? 1 : 0 })
    .where('email_key', '=', emailKey)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Counts the identities of each provider, and tells when one of them signed in last. */
export async function listProviderUses(
  db: Db,
): Promise<{ provider: string; identity_count: number; last_used_at: number | null }[]> {
  return db
    .selectFrom('identities')
    .select((select) => [
      'provider',
      select.fn.countAll<number>().as('identity_count'),
      select.fn.max('last_used_at').as('last_used_at'),
    ])
    .groupBy('provider')
    .execute()
}

/** Lists the providers that each account can sign in through. */
export async function listProvidersOfAccounts(db: Db): Promise<{ account_id: number; provider: string }[]> {
  return db.selectFrom('identities').select(['account_id', 'provider']).distinct().orderBy('provider').execute()
}

/** Lists the workspaces in which no account that can sign in is an administrator. */
export async function listWorkspacesWithoutAdmin(db: Db): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('members')
            .innerJoin('accounts', 'accounts.id', 'members.account_id')
            .select('members.account_id')
            .whereRef('members.workspace_id', '=', 'workspaces.id')
            .where('members.role', '=', 'admin')
            .where('accounts.disabled_at', 'is', null),
        ),
      ),
    )
    .orderBy('id')
    .execute()
}

export async function findWorkspaceName(db: Db, id: number): Promise<string | undefined> {
  const workspace = await db.selectFrom('workspaces').select('name').where('id', '=', id).executeTakeFirst()
  return workspace?.name
}
