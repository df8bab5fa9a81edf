import { ApiError, type SignIn } from '@fairlead/contract'
import { findAccountByEmail } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import { recordRefusedSignIn } from '../audit/record.ts'
import { isRightPassword } from '../passwords/guard.ts'
import { type Client, type StartedSession, startSession } from './start.ts'
import { createNetworkCheck } from './known-network.ts'
import { checkSecondFactor } from '../two-factor/check.ts'

/** @throws {ApiError} wrongCredentials, twoFactorCode, accountClosed, tooManyRequests */
export async function signIn(
  context: Pick<AppContext, 'db' | 'log' | 'signingKey' | 'guard'>,
  { email, password, code }: SignIn,
  client: Client,
): Promise<StartedSession> {
  const account = await findAccountByEmail(context, email)
  const { address } = client
  const isKnownNetwork = createNetworkCheck(context, account, address)
  const isRight = await isRightPassword(context.guard, { email, password, account, address, isKnownNetwork })
  if (account && !isRight) recordRefusedSignIn(context, account.id, { email, address })
  if (!account || !isRight) throw new ApiError('wrongCredentials')
  await checkSecondFactor(context, account, code)
  return startSession(context, account, client)
}
