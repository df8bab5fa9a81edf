import { randomBytes } from 'node:crypto'
import { ApiError, type CreateInvitation, type Invitation } from '@fairlead/contract'
import { toEmailKey } from '../accounts/account.ts'
import { hashSecret } from '../api-tokens/secret.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createInvitationMail } from './invitation-mail.ts'
import { type InvitationRow, toInvitation, toInviteUrl } from './invitation.ts'

const lifetime = 7 * 24 * 60 * 60 * 1000

/**
 * Invites a person by mail and returns a link to hand over. Inviting the same person again replaces the earlier link.
 *
 * @throws {ApiError} alreadyMember
 */
export async function createInvitation(
  { db, config, jobs }: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  caller: Caller,
  input: CreateInvitation,
): Promise<Invitation> {
  const { workspaceId } = caller
  const token = randomBytes(32).toString('base64url')
  const inviteUrl = toInviteUrl(config.baseUrl, token)
  const row = await db.transaction().execute(async (trx) => {
    if (await isMember(trx, workspaceId, input.email)) throw new ApiError('alreadyMember')
    const { name } = await trx
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    const row = await insertInvitation(trx, workspaceId, input, token)
    const mail = createInvitationMail({
      email: row.email,
      invitedBy: caller.accountId === null ? null : caller.name,
      workspaceName: name,
      inviteUrl,
    })
    await enqueueMails({ db: trx, config }, workspaceId, [mail])
    return row
  })
  jobs.wake()
  return toInvitation(row, inviteUrl)
}

async function isMember(trx: Db, workspaceId: number, email: string): Promise<boolean> {
  const member = await trx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('accounts.id')
    .where('members.workspace_id', '=', workspaceId)
    .where('accounts.email_key', '=', toEmailKey(email))
    .executeTakeFirst()
  return member !== undefined
}

async function insertInvitation(
  trx: Db,
  workspaceId: number,
  { email, role }: CreateInvitation,
  token: string,
): Promise<InvitationRow> {
  const now = Date.now()
  const values = { email, role, token_hash: hashSecret(token), created_at: now, expires_at: now + lifetime }
  return trx
    .insertInto('invitations')
    .values({ workspace_id: workspaceId, email_key: toEmailKey(email), ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email_key']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}
