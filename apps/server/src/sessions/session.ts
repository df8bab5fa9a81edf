import type { OpenSession, Session } from '@fairlead/contract'
import { type AccountRow, toAccount } from '../accounts/account.ts'
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

export function toSessionEnd(createdAt: number, now: number): number {
  return Math.min(now + idleLifetime, createdAt + wholeLifetime)
}

/** An active session with its account. */
export interface SignedIn {
  sessionId: number
  tokenHash: string
  account: AccountRow
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
  { account, tokenHash }: Pick<SignedIn, 'account' | 'tokenHash'>,
): Promise<Session> {
  const memberships = await listMemberships(context.db, account.id)
  return {
    account: toAccount(account),
    workspaces: memberships.map(({ workspace_id, name, role, requires_two_factor }) => ({
      id: workspace_id,
      name,
      role,
      isTwoFactorRequired: requires_two_factor === 1,
    })),
    hasTwoFactor: account.totp_enabled_at !== null,
    isServerAdmin: account.is_server_admin === 1,
    csrfToken: toCsrfToken(context, tokenHash),
  }
}

export function toOpenSession(row: Row<'sessions'>, currentId: number): OpenSession {
  return {
    id: row.id,
    isCurrent: row.id === currentId,
    address: row.address,
    userAgent: row.user_agent,
    createdDate: toInstant(row.created_at),
    lastUsedDate: toInstant(row.last_used_at),
    expirationDate: toInstant(row.expires_at),
  }
}
