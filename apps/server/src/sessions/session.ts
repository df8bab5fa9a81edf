import type { OpenSession, Session } from '@fairlead/contract'
import { type AccountRow, toAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { isSame, sign } from '../secrets/signature.ts'
import { listMemberships } from './store.ts'

const day = 24 * 60 * 60 * 1000

/** A session expires after this time without use. */
const idleLifetime = 14 * day
/** A session expires after this time in any case. */
const wholeLifetime = 90 * day

/** Tells when a session ends if it is not used again. One through a provider ends at a fixed time after the sign-in. */
export function toSessionEnd(
  { oidc }: Pick<Config, 'oidc'>,
  { createdAt, provider }: { createdAt: number; provider: string | null },
  now: number,
): number {
  return Math.min(now + idleLifetime, createdAt + (provider === null ? wholeLifetime : oidc.sessionMs))
}

/**
 * Tells whether the settings still allow a session: its provider is there and its hours are not over, or passwords work
 * for its account.
 */
export function isAllowed(
  { oidc, passwordSignIn }: Pick<Config, 'oidc' | 'passwordSignIn'>,
  { provider, created_at: createdAt }: Pick<Row<'sessions'>, 'provider' | 'created_at'>,
  account: AccountRow,
): boolean {
  if (account.disabled_at !== null) return false
  if (provider === null) return passwordSignIn === 'on' || account.is_server_admin === 1
  return oidc.providers.some(({ key }) => key === provider) && createdAt + oidc.sessionMs > Date.now()
}

/** An active session with its account. */
export interface SignedIn {
  sessionId: number
  tokenHash: string
  account: AccountRow
  /** The key of the provider; null for a password. */
  provider: string | null
  logoutUrl: string | null
}

/**
 * Returns the CSRF token of a session. It is an HMAC of the session, so it needs no storage; pages of other sites
 * cannot read it.
 */
function toCsrfToken({ signingKey }: Pick<AppContext, 'signingKey'>, tokenHash: string): string {
  return sign(signingKey, `csrf:${tokenHash}`)
}

export function isCsrfToken(context: Pick<AppContext, 'signingKey'>, tokenHash: string, given: unknown): boolean {
  return typeof given === 'string' && isSame(given, toCsrfToken(context, tokenHash))
}

/** Returns the account with its workspaces and roles, and the CSRF token. */
export async function toSession(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  { account, tokenHash, provider, logoutUrl }: Omit<SignedIn, 'sessionId'>,
): Promise<Session> {
  const memberships = await listMemberships(context.db, account.id)
  return {
    account: toAccount(account),
    workspaces: memberships.map(({ workspace_id, name, role, requires_two_factor, required_provider }) => ({
      id: workspace_id,
      name,
      role,
      isTwoFactorRequired: requires_two_factor === 1,
      requiredProvider: required_provider,
    })),
    hasTwoFactor: account.totp_enabled_at !== null,
    isServerAdmin: account.is_server_admin === 1,
    signedInBy: provider ?? 'password',
    logoutUrl,
    csrfToken: toCsrfToken(context, tokenHash),
  }
}

export function toOpenSession(row: Row<'sessions'>, currentId: number): OpenSession {
  return {
    id: row.id,
    isCurrent: row.id === currentId,
    signedInBy: row.provider ?? 'password',
    address: row.address,
    userAgent: row.user_agent,
    createdDate: toInstant(row.created_at),
    lastUsedDate: toInstant(row.last_used_at),
    expirationDate: toInstant(row.expires_at),
  }
}
