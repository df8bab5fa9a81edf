import { ApiError, type Role } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { InvitationRow } from './invitation.ts'

/** Returns the invitations that can still be accepted. */
export async function listInvitations(db: Db, workspaceId: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', Date.now())
    .orderBy('id', 'desc')
    .execute()
}

/** Returns whether the invitation existed. */
export async function deleteInvitation(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Returns whether the workspace has a member with this e-mail address. */
export async function isMember(trx: Db, workspaceId: number, email: string): Promise<boolean> {
  const member = await trx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('accounts.id')
    .where('members.workspace_id', '=', workspaceId)
    .where('accounts.email_key', '=', toEmailKey(email))
    .executeTakeFirst()
  return member !== undefined
}

/** Inserts an invitation, or replaces the earlier one for the same e-mail address. */
export async function upsertInvitation(trx: Db, values: Insertable<Schema['invitations']>): Promise<InvitationRow> {
  const { workspace_id: _workspace, email_key: _key, ...changed } = values
  return trx
    .insertInto('invitations')
    .values(values)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email_key']).doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface OpenInvitation extends InvitationRow {
  workspace_name: string
  /** Whether the link came from the mail, which proves that the person owns the e-mail address. */
  isMailed: boolean
}

/** @throws {ApiError} invitationNotFound, also when the invitation has expired */
export async function requireInvitation(db: Db, token: string): Promise<OpenInvitation> {
  const tokenHash = hashSecret(token)
  const invitation = await db
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .selectAll('invitations')
    .select('workspaces.name as workspace_name')
    .where((where) => where.or([where('token_hash', '=', tokenHash), where('mail_token_hash', '=', tokenHash)]))
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  if (!invitation) throw new ApiError('invitationNotFound')
  return { ...invitation, isMailed: invitation.mail_token_hash === tokenHash }
}

/** Deletes an invitation if its token is still the same. Returns false if another request took it first. */
export async function takeInvitation(trx: Db, { id, token_hash }: InvitationRow): Promise<boolean> {
  const taken = await trx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('token_hash', '=', token_hash)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Returns an open invitation to an e-mail address, in any workspace. */
export async function findInvitationTo(db: Db, email: string): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('invitations')
    .select('id')
    .where('email_key', '=', toEmailKey(email))
    .where('expires_at', '>', Date.now())
    .limit(1)
    .executeTakeFirst()
}

/** Deletes the open invitations to an e-mail address. Only one of two concurrent requests gets them. */
export async function takeInvitationsTo(trx: Db, email: string): Promise<{ workspace_id: number; role: Role }[]> {
  return trx
    .deleteFrom('invitations')
    .where('email_key', '=', toEmailKey(email))
    .where('expires_at', '>', Date.now())
    .returning(['workspace_id', 'role'])
    .execute()
}
