import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { listRolesOf } from './store.ts'

/**
 * Checks who may create a workspace: administrators of the server always, others by `FAIRLEAD_WORKSPACE_CREATION`.
 *
 * @throws {ApiError} forbidden
 */
export async function requireMayCreate(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  account: Row<'accounts'>,
): Promise<void> {
  if (account.is_server_admin === 1) return
  if (config.smtpUrl !== null && account.verified_at === null) {
    throw new ApiError('forbidden', {
      detail: 'The e-mail address of the account is not verified: ask for a password reset and open its link',
    })
  }
  const roles = await listRolesOf(db, account.id)
  const { workspaceCreation } = config
  if (workspaceCreation === 'members' && roles.length > 0) return
  if (workspaceCreation === 'admins' && roles.includes('admin')) return
  const who = workspaceCreation === 'server-admins' ? 'Administrators of the server' : 'Administrators of a workspace'
  throw new ApiError('forbidden', { detail: `${who} create workspaces here` })
}
