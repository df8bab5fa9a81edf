import { ApiError, type SignIn } from '@fairlead/contract'
import { isRightPassword } from '../passwords/guard.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import { type StartedSession, startSession } from './start.ts'

/** The browser that signs in: its IP address and its previous session, if any. */
export interface Client {
  address: string
  previousToken: string | undefined
}

/** @throws {ApiError} wrongCredentials, tooManyRequests */
export async function signIn(
  context: Pick<AppContext, 'db' | 'signingKey' | 'guard'>,
  { email, password }: SignIn,
  { address, previousToken }: Client,
): Promise<StartedSession> {
  const account = await findAccountByEmail(context, email)
  const isRight = await isRightPassword(context.guard, { email, password, account, address })
  if (!account || !isRight) throw new ApiError('wrongCredentials')
  return startSession(context, account, previousToken)
}
