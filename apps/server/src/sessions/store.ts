import type { Role } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export interface Membership {
  workspace_id: number
  name: string
  requires_two_factor: number
  required_provider: string | null
  role: Role
}

/** Lists the workspaces of an account; requests that name no workspace use the first one. */
export async function listMemberships(db: Db, accountId: number): Promise<Membership[]> {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['members.workspace_id', 'workspaces.name', 'members.role'])
    .select(['workspaces.requires_two_factor', 'workspaces.required_provider'])
    .where('members.account_id', '=', accountId)
    .orderBy('members.workspace_id')
    .execute()
}

export async function findSession(db: Db, tokenHash: string): Promise<Row<'sessions'> | undefined> {
  return db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

export async function extendSession(
  db: Db,
  id: number,
  values: { last_used_at: number; expires_at: number },
): Promise<void> {
  await db.updateTable('sessions').set(values).where('id', '=', id).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Deletes all sessions of an account. */
export async function deleteSessionsOf(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

/**
 * Inserts a session if the account was not disabled, and its password has not changed, since the account was read.
 * Returns whether it did.
 */
export async function insertSession(
  db: Db,
  account: Pick<Row<'accounts'>, 'id' | 'password_hash'>,
  values: Omit<Row<'sessions'>, 'id' | 'account_id'>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('sessions')
    .columns([
      'account_id',
      'token_hash',
      'address',
      'user_agent',
      'created_at',
      'last_used_at',
      'expires_at',
      'provider',
      'identity_id',
      'provider_session',
      'logout_url',
    ])
    .expression((query) =>
      query
        .selectFrom('accounts')
        .select((select) => [
          'accounts.id as account_id',
          select.val(values.token_hash).as('token_hash'),
          select.val(values.address).as('address'),
          select.val(values.user_agent).as('user_agent'),
          select.val(values.created_at).as('created_at'),
          select.val(values.last_used_at).as('last_used_at'),
          select.val(values.expires_at).as('expires_at'),
          select.val(values.provider).as('provider'),
          select.val(values.identity_id).as('identity_id'),
          select.val(values.provider_session).as('provider_session'),
          select.val(values.logout_url).as('logout_url'),
        ])
        .where('accounts.id', '=', account.id)
        .where('accounts.disabled_at', 'is', null)
        .where('accounts.password_hash', '=', account.password_hash),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Lists the sessions of an account that have not expired, last used first. */
export async function listSessionRows(db: Db, accountId: number): Promise<Row<'sessions'>[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', Date.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes one session of an account. Returns whether it existed. */
export async function deleteSessionById(db: Db, accountId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Tells whether an account is a member of a workspace, or an administrator of the server. */
export async function isOpenAccount(db: Db, { id, is_server_admin }: Row<'accounts'>): Promise<boolean> {
  if (is_server_admin === 1) return true
  const member = await db
    .selectFrom('members')
    .select('account_id')
    .where('account_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return member !== undefined
}

/** Ends sessions through a provider: those of one session there, or all of a person. Returns their accounts. */
export async function deleteSessionsOfProvider(
  db: Db,
  provider: string,
  { issuer, subject, providerSession }: { issuer: string; subject: string | null; providerSession: string | null },
): Promise<number[]> {
  let identities = db
    .selectFrom('identities')
    .select('id')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
  if (subject !== null) identities = identities.where('subject', '=', subject)
  let sessions = db.deleteFrom('sessions').where('provider', '=', provider).where('identity_id', 'in', identities)
  if (providerSession !== null) sessions = sessions.where('provider_session', '=', providerSession)
  const ended = await sessions.returning('account_id').execute()
  return [...new Set(ended.map((row) => row.account_id))]
}

/** Lists the e-mail addresses of the administrators of the server who can sign in. */
export async function listServerAdministrators(db: Db): Promise<{ id: number; email: string }[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('is_server_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .execute()
}
