import { type AcceptInvitation, ApiError, type Fault, Password } from '@fairlead/contract'
import { type Guard, isRightPassword } from '../passwords/guard.ts'
import { createAccount } from '../accounts/create.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import { addMember } from '../members/add.ts'
import type { Client } from '../sessions/sign-in.ts'
import { type StartedSession, startSession } from '../sessions/start.ts'
import { requireInvitation, takeInvitation } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Makes the holder of the invitation link a member and signs them in. A newcomer gets an account; a person who has one
 * has to enter its password.
 *
 * @throws {ApiError} invitationNotFound, invalidRequest, wrongCredentials, tooManyRequests, emailTaken
 */
export async function acceptInvitation(
  context: Pick<AppContext, 'db' | 'signingKey' | 'guard'>,
  input: AcceptInvitation,
  { address, previousToken }: Client,
): Promise<StartedSession> {
  const { db, guard } = context
  const invitation = await requireInvitation(db, input.token)
  const known = await findAccountByEmail(context, invitation.email)
  if (known) {
    const attempt = { email: known.email, password: input.password, account: known, address }
    if (!(await isRightPassword(guard, attempt))) throw new ApiError('wrongCredentials')
  }
  // Hashing is slow, so it happens before the transaction.
  const newcomer = known ? undefined : await readNewcomer(guard, input)
  const account = await transact(db, async (trx) => {
    if (!(await takeInvitation(trx, invitation))) throw new ApiError('invitationNotFound')
    const account = newcomer ? await createAccount(trx, { email: invitation.email, ...newcomer }) : known
    if (!account) throw new ApiError('invitationNotFound')
    await addMember(trx, invitation.workspace_id, account.id, invitation.role)
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
