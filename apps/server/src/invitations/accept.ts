import { type AcceptInvitation, ApiError, type Fault, Password } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { createAccount } from '../accounts/create.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import { takeOverAccount } from '../accounts/verify.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { addMember } from '../members/add.ts'
import { type Guard, isRightPassword } from '../passwords/guard.ts'
import { findRefusal } from '../sessions/sign-in.ts'
import { type Client, type StartedSession, startSession } from '../sessions/start.ts'
import { checkSecondFactor } from '../two-factor/check.ts'
import { removeTwoFactor } from '../two-factor/remove.ts'
import { type OpenInvitation, requireInvitation, takeInvitation } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Makes the holder of the invitation link a member and signs them in. A newcomer gets an account, which counts as
 * verified if the link was mailed. A person who has an account has to sign in to it; an account that was never verified
 * is given to the holder of the mailed link. A link that was handed over does not tell whether its address has an
 * account: with a name it asks for an account, without one it asks to sign in, and each refuses in one way.
 *
 * Where passwords are off, people accept by signing in through a provider instead.
 *
 * @throws {ApiError} invitationNotFound, invalidRequest, wrongCredentials, twoFactorCode, tooManyRequests, emailTaken,
 *   passwordsOff, accountDisabled
 */
export async function acceptInvitation(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'guard'>,
  input: AcceptInvitation,
  client: Client,
): Promise<StartedSession & { workspaceId: number }> {
  const { db, guard } = context
  const invitation = await requireInvitation(db, input.token)
  const found = await findAccountByEmail(context, invitation.email)
  const isTakenOver = found !== undefined && found.verified_at === null && invitation.isMailed
  const saysNewcomer = input.name !== undefined
  if (!invitation.isMailed && saysNewcomer) checkNewcomer(input)
  const isOwner = (found && !isTakenOver) || (!invitation.isMailed && !saysNewcomer)
  if (isOwner) await requireOwner(context, { email: invitation.email, account: found }, input, client)
  const refusal = findRefusal(context.config, found)
  if (refusal !== undefined) throw new ApiError(refusal)
  // Hashing is slow, so it happens before the transaction.
  const newcomer = isOwner ? undefined : await readNewcomer(guard, input)
  const account = await transact(db, async (trx) => {
    if (!(await takeInvitation(trx, invitation))) throw new ApiError('invitationNotFound')
    const account = newcomer ? await openAccount(trx, invitation, found, newcomer) : found
    if (!account) throw new ApiError('invitationNotFound')
    await addMember(trx, invitation.workspace_id, account.id, invitation.role)
    return account
  })
  return { ...(await startSession(context, account, client)), workspaceId: invitation.workspace_id }
}

async function requireOwner(
  context: Pick<AppContext, 'db' | 'guard' | 'config'>,
  { email, account }: { email: string; account: AccountRow | undefined },
  { password, code }: AcceptInvitation,
  { address }: Client,
): Promise<void> {
  const isRight = await isRightPassword(context.guard, { email, password, account, address })
  if (!isRight || !account) throw new ApiError('wrongCredentials')
  await checkSecondFactor(context, account, code)
}

interface Newcomer {
  name: string
  passwordHash: string
}

async function openAccount(
  trx: Db,
  { email, isMailed }: OpenInvitation,
  unverified: AccountRow | undefined,
  newcomer: Newcomer,
): Promise<AccountRow> {
  if (!unverified) return createAccount(trx, { email, ...newcomer, isVerified: isMailed })
  await removeTwoFactor(trx, unverified.id)
  return takeOverAccount(trx, unverified.id, newcomer)
}

async function readNewcomer({ passwords }: Guard, input: AcceptInvitation): Promise<Newcomer> {
  const { name, password } = checkNewcomer(input)
  return { name, passwordHash: await passwords.hash(password) }
}

function checkNewcomer({ name, password }: AcceptInvitation): { name: string; password: string } {
  const faults: Fault[] = []
  if (name === undefined) faults.push({ source: '/name', detail: 'is missing' })
  const checked = Password.safeParse(password)
  if (!checked.success)
    faults.push(...checked.error.issues.map(({ message }) => ({ source: '/password', detail: message })))
  if (name === undefined || faults.length > 0) throw new ApiError('invalidRequest', { faults })
  return { name, password }
}
