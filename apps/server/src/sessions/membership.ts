import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { SignedIn } from './session.ts'
import { listMemberships, type Membership } from './store.ts'

/**
 * Returns the membership of a signed-in account in the workspace that is named, or in its first one, if the workspace
 * takes the way in which the account signed in.
 *
 * @throws {ApiError} forbidden when the account is not a member; twoFactorRequired, providerRequired
 */
export async function requireMembership(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { account, provider }: Pick<SignedIn, 'account' | 'provider'>,
  named: unknown,
): Promise<Membership> {
  const membership = chooseMembership(await listMemberships(db, account.id), named)
  if (!membership) throw new ApiError('forbidden', { detail: 'The account is not a member of this workspace' })
  const { required_provider: required, requires_two_factor: requiresFactor } = membership
  if (required === null) {
    if (requiresFactor === 1 && account.totp_enabled_at === null) throw new ApiError('twoFactorRequired')
  } else if (required !== provider) {
    // A second factor is then the provider's matter.
    const name = config.oidc.providers.find(({ key }) => key === required)?.name ?? required
    throw new ApiError('providerRequired', { detail: `This workspace requires sign-in through ${name}` })
  }
  return membership
}

function chooseMembership(memberships: Membership[], named: unknown): Membership | undefined {
  if (named === undefined) return memberships[0]
  return memberships.find(({ workspace_id }) => String(workspace_id) === named)
}
