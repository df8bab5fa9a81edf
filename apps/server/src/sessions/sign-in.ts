import { ApiError, type SignIn } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { recordRefusedSignIn } from '../audit/record.ts'
import { isRightPassword } from '../passwords/guard.ts'
import { type Client, type StartedSession, startSession } from './start.ts'
import { createNetworkCheck } from './known-network.ts'
import { tellOtherAdministrators } from './password-mail.ts'
import { checkSecondFactor } from '../two-factor/check.ts'

/**
 * Signs in with a password. Where passwords work for administrators of the server only, a mail tells the others.
 *
 * @throws {ApiError} wrongCredentials, twoFactorCode, accountClosed, accountDisabled, passwordsOff, tooManyRequests
 */
export async function signIn(
  context: Pick<AppContext, 'db' | 'config' | 'jobs' | 'log' | 'signingKey' | 'guard'>,
  { email, password, code }: SignIn,
  client: Client,
): Promise<StartedSession> {
  const account = await findAccountByEmail(context, email)
  const { address } = client
  const isKnownNetwork = createNetworkCheck(context, account, address)
  const isRight = await isRightPassword(context.guard, { email, password, account, address, isKnownNetwork })
  if (account && !isRight) recordRefusedSignIn(context, account.id, { email, address })
  if (!account || !isRight) throw new ApiError('wrongCredentials')
  const refusal = findRefusal(context.config, account)
  if (refusal !== undefined) {
    recordRefusedSignIn(context, account.id, { email, address })
    throw new ApiError(refusal)
  }
  await checkSecondFactor(context, account, code)
  const started = await startSession(context, account, client)
  if (context.config.passwordSignIn === 'server-admins') await tellOtherAdministrators(context, account, address)
  return started
}

/** Tells why an account may not sign in with its password, although it is right. */
export function findRefusal(
  { passwordSignIn }: Pick<Config, 'passwordSignIn'>,
  account: AccountRow | undefined,
): 'accountDisabled' | 'passwordsOff' | undefined {
  if (account && account.disabled_at !== null) return 'accountDisabled'
  return passwordSignIn === 'server-admins' && account?.is_server_admin !== 1 ? 'passwordsOff' : undefined
}
