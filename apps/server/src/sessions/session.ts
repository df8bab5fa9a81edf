import type { Session } from '@fairlead/contract'
import { type AccountRow, toAccount } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { isSame, sign } from '../secrets/signature.ts'
import { listMemberships } from './store.ts'

const day = 24 * 60 * 60 * 1000

/** A session ends when nobody has used it for so long … */
const idleLifetime = 14 * day
/** … and after this in any case. */
const wholeLifetime = 90 * day

export function toSessionEnd(createdAt: number, now: number): number {
  return Math.min(now + idleLifetime, createdAt + wholeLifetime)
}

/** A live session, and whose it is. */
export interface SignedIn {
  sessionId: number
  tokenHash: string
  account: AccountRow
}

/** What a page of ours sends with every write and no page of strangers can know: made from the session, so not stored. */
function toCsrfToken({ signingKey }: Pick<AppContext, 'signingKey'>, tokenHash: string): string {
  return sign(signingKey, `csrf:${tokenHash}`)
}

export function isCsrfToken(context: Pick<AppContext, 'signingKey'>, tokenHash: string, given: unknown): boolean {
  return typeof given === 'string' && isSame(given, toCsrfToken(context, tokenHash))
}

/** Who is signed in, and what they may do where. */
export async function toSession(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  { account, tokenHash }: Pick<SignedIn, 'account' | 'tokenHash'>,
): Promise<Session> {
  const memberships = await listMemberships(context.db, account.id)
  return {
    account: toAccount(account),
    workspaces: memberships.map(({ workspace_id, name, role }) => ({ id: workspace_id, name, role })),
    csrfToken: toCsrfToken(context, tokenHash),
  }
}
