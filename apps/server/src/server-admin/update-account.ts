import { ApiError, type UpdateServerAccount } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { setDisabled } from '../accounts/disable.ts'
import { findAccount } from '../accounts/find.ts'
import { revokeTokensOf } from '../api-tokens/of-account.ts'
import { recordByAccount, recordOnAccount } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'

/**
 * Disables or enables an account, and revokes the API tokens that the person made in any workspace.
 *
 * @param by the administrator of the server who asks
 * @throws {ApiError} accountNotFound, ownAccount
 */
export async function updateServerAccount(
  context: Pick<AppContext, 'db' | 'log'>,
  by: AccountRow,
  { accountId, isDisabled, revokeTokens = false }: UpdateServerAccount & { accountId: number },
  from: { address: string; target: string },
): Promise<void> {
  if (isDisabled === true && accountId === by.id) throw new ApiError('ownAccount')
  const { hasChanged, revoked } = await transact(context.db, async (trx) => {
    if (!(await findAccount({ db: trx }, accountId))) throw new ApiError('accountNotFound')
    const hasChanged = isDisabled !== undefined && (await setDisabled(trx, accountId, isDisabled)) === true
    return { hasChanged, revoked: revokeTokens ? await revokeTokensOf(trx, accountId) : [] }
  })
  if (hasChanged) {
    const action = isDisabled === true ? 'account.disable' : 'account.enable'
    await recordOnAccount(context, by, accountId, { action, ...from, details: { accountId } })
  }
  for (const { id, name, workspace_id: workspaceId } of revoked) {
    await recordByAccount(context, by, workspaceId, { action: 'apiToken.revoke', ...from, details: { id, name } })
  }
}
