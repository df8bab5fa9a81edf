import { type AcceptInvitation, ApiError, type Fault, Password } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { type Guard, isRightPassword } from '../accounts/guard.ts'
import { findAccountByEmail, insertAccount } from '../accounts/store.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Client } from '../sessions/sign-in.ts'
import { type StartedSession, startSession } from '../sessions/start.ts'
import { type InvitationRow, requireInvitation } from './invitation.ts'

/**
 * Makes the holder of the invitation link a member and signs them in. A newcomer gets an account; a person who has one
 * has to enter its password.
 *
 * @throws {ApiError} invitationNotFound, invalidRequest, wrongCredentials, tooManyRequests, emailTaken
 */
export async function acceptInvitation(
  context: Pick<AppContext, 'db' | 'linkKey'> & { guard: Guard },
  input: AcceptInvitation,
  { address, previousToken }: Client,
): Promise<StartedSession> {
  const { db, guard } = context
  const invitation = await requireInvitation(db, input.token)
  const known = await findAccountByEmail(db, invitation.email)
  if (known) {
    const attempt = { email: known.email, password: input.password, account: known, address }
    if (!(await isRightPassword(guard, attempt))) throw new ApiError('wrongCredentials')
  }
  // Hashing is slow, so it happens before the transaction.
  const newcomer = known ? undefined : await readNewcomer(guard, input)
  const account = await db.transaction().execute(async (trx) => {
    await takeInvitation(trx, invitation)
    const account = newcomer ? await insertAccount(trx, { email: invitation.email, ...newcomer }) : known
    if (!account) throw new ApiError('invitationNotFound')
    await addMember(trx, invitation, account)
    return account
  })
  return startSession(context, account, previousToken)
}

async function readNewcomer(
  { passwords }: Guard,
  { name, password }: AcceptInvitation,
): Promise<{ name: string; passwordHash: string }> {
  const faults: Fault[] = []
  if (name === undefined) faults.push({ source: '/name', detail: 'is missing' })
  const checked = Password.safeParse(password)
  if (!checked.success)
    faults.push(...checked.error.issues.map(({ message }) => ({ source: '/password', detail: message })))
  if (name === undefined || faults.length > 0) throw new ApiError('invalidRequest', { faults })
  return { name, passwordHash: await passwords.hash(password) }
}

/** Deletes the invitation. Of two concurrent requests with the same link, only one finds the row. */
async function takeInvitation(trx: Db, { id, token_hash }: InvitationRow): Promise<void> {
  const taken = await trx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('token_hash', '=', token_hash)
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw new ApiError('invitationNotFound')
}

async function addMember(trx: Db, { workspace_id, role }: InvitationRow, account: AccountRow): Promise<void> {
  await trx
    .insertInto('members')
    .values({ workspace_id, account_id: account.id, role, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
