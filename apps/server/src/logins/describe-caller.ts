import { ApiError, type Caller as CallerAnswer } from '@fairlead/contract'
import { toAccount } from '../accounts/account.ts'
import { findAccount } from '../accounts/find.ts'
import { findApiToken } from '../api-tokens/find.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { readWorkspace } from '../workspaces/find.ts'

/** Tells who calls. A token of CI is nobody's, so only the token of a login has an account. */
export async function describeCaller({ db }: Pick<AppContext, 'db'>, caller: Caller): Promise<CallerAnswer> {
  const { workspaceId, name, role, apiTokenId } = caller
  const token = apiTokenId === null ? undefined : await findApiToken(db, apiTokenId)
  // The token was revoked after it was authenticated.
  if (apiTokenId !== null && !token) throw new ApiError('unauthorized')
  const isLogin = token?.is_login === 1
  const accountId = isLogin ? token.account_id : caller.accountId
  const account = accountId === null ? undefined : await findAccount({ db }, accountId)
  const workspace = await readWorkspace(db, workspaceId)
  return {
    kind: apiTokenId === null ? 'account' : 'token',
    name,
    role,
    workspace: { id: workspace.id, name: workspace.name },
    account: account ? toAccount(account) : null,
    apiTokenId,
    isLogin,
    expirationDate: toInstantOrNull(token?.expires_at ?? null),
  }
}
