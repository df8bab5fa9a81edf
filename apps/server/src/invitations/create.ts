import { randomBytes } from 'node:crypto'
import { ApiError, type CreateInvitation, type Invitation } from '@fairlead/contract'
import { toEmailKey } from '../db/email-key.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { enqueueMails, secretPlaceholder } from '../mails/enqueue.ts'
import { readWorkspace } from '../workspaces/find.ts'
import { createInvitationMail } from './invitation-mail.ts'
import { toInvitation, toInviteUrl } from './invitation.ts'
import { isMember, upsertInvitation } from './store.ts'
import { transact } from '../db/transact.ts'

const lifetime = 7 * 24 * 60 * 60 * 1000

/**
 * Invites a person by mail. Without a mail server, the answer has a link to hand over. Inviting the same person again
 * replaces the earlier link.
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
  // If mails are sent, only the mail has the link, so that nobody can accept for another's address.
  const isMailed = config.smtpUrl !== null
  const inviteUrl = toInviteUrl(config.baseUrl, isMailed ? secretPlaceholder : token)
  const row = await transact(db, async (trx) => {
    if (await isMember(trx, workspaceId, input.email)) throw new ApiError('alreadyMember')
    const { name } = await readWorkspace(trx, workspaceId)
    const now = Date.now()
    const row = await upsertInvitation(trx, {
      workspace_id: workspaceId,
      email: input.email,
      email_key: toEmailKey(input.email),
      role: input.role,
      token_hash: hashSecret(isMailed ? randomBytes(32).toString('base64url') : token),
      mail_token_hash: isMailed ? hashSecret(token) : null,
      created_at: now,
      expires_at: now + lifetime,
    })
    const mail = createInvitationMail({
      email: row.email,
      invitedBy: caller.accountId === null ? null : caller.name,
      workspaceName: name,
      inviteUrl,
    })
    await enqueueMails({ db: trx, config }, workspaceId, [isMailed ? { ...mail, secret: token } : mail])
    return row
  })
  jobs.wake()
  return toInvitation(row, isMailed ? null : inviteUrl)
}
