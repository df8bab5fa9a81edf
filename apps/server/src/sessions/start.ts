import { randomBytes } from 'node:crypto'
import { ApiError, type Session } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import { toSession, toSessionEnd } from './session.ts'
import { deleteSession, insertSession, isOpenAccount } from './store.ts'

/** The browser that signs in: where it is, what it calls itself, and its previous session, if any. */
export interface Client {
  address: string
  userAgent: string | null
  previousToken: string | undefined
}

/** How somebody signed in through a provider. */
export interface ProviderSignIn {
  provider: string
  identityId: number
  /** The session at the provider, if it names one. */
  providerSession: string | null
  logoutUrl: string | null
}

export interface StartedSession {
  /** The secret for the cookie; only its digest is stored. */
  token: string
  session: Session
}

/**
 * Signs an account in with a new session and ends the browser's previous one, which prevents session fixation.
 *
 * @param through null for a password
 * @throws {ApiError} wrongCredentials when the password of `account` has changed meanwhile; accountClosed when the
 *   account belongs to no workspace any more; accountDisabled
 */
export async function startSession(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey'>,
  account: AccountRow,
  client: Client,
  through: ProviderSignIn | null = null,
): Promise<StartedSession> {
  const { db, config } = context
  if (account.disabled_at !== null) throw new ApiError('accountDisabled')
  if (!(await isOpenAccount(db, account))) throw new ApiError('accountClosed')
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashSecret(token)
  const now = Date.now()
  if (client.previousToken !== undefined) await deleteSession(db, hashSecret(client.previousToken))
  // The password may have been changed while it was being verified, perhaps because it had leaked.
  const isStarted = await insertSession(db, account, {
    token_hash: tokenHash,
    address: client.address,
    user_agent: client.userAgent,
    created_at: now,
    last_used_at: now,
    expires_at: toSessionEnd(config, { createdAt: now, provider: through?.provider ?? null }, now),
    provider: through?.provider ?? null,
    identity_id: through?.identityId ?? null,
    provider_session: through?.providerSession ?? null,
    logout_url: through?.logoutUrl ?? null,
  })
  if (!isStarted) throw new ApiError('wrongCredentials')
  const signedIn = { account, tokenHash, provider: through?.provider ?? null, logoutUrl: through?.logoutUrl ?? null }
  return { token, session: await toSession(context, signedIn) }
}
