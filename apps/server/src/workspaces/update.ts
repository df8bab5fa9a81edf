import { ApiError, type UpdateWorkspace, type Workspace } from '@fairlead/contract'
import { findAccount } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { readWorkspace } from './find.ts'
import { updateWorkspaceRow } from './store.ts'
import { day } from './workspace.ts'

/**
 * Changes the settings of a workspace. A new link lifetime applies to future builds only.
 *
 * @param accountId the account that asks; null for an API token
 * @throws {ApiError} invalidRequest, unknownProvider
 */
export async function updateWorkspace(
  { db, jobs, providers }: Pick<AppContext, 'db' | 'jobs' | 'providers'>,
  id: number,
  {
    name,
    linkLifetimeDays,
    retentionDays,
    isTwoFactorRequired,
    requiredProvider,
    agentWrites,
    feedback,
  }: UpdateWorkspace,
  accountId: number | null,
): Promise<Workspace> {
  if (isTwoFactorRequired === true && accountId !== null) await requireOwnFactor(db, accountId)
  if (requiredProvider !== undefined && requiredProvider !== null && !providers.has(requiredProvider)) {
    const faults = [{ source: '/requiredProvider', detail: 'is no provider of this server' }]
    throw new ApiError('unknownProvider', { faults })
  }
  const values = {
    ...(name !== undefined && { name }),
    ...(linkLifetimeDays !== undefined && { link_lifetime_ms: linkLifetimeDays * day }),
    ...(isTwoFactorRequired !== undefined && { requires_two_factor: isTwoFactorRequired ? 1 : 0 }),
    ...(requiredProvider !== undefined && { required_provider: requiredProvider }),
    ...(agentWrites !== undefined && { agent_writes: agentWrites ? 1 : 0 }),
    ...(feedback !== undefined && { feedback }),
    ...(retentionDays !== undefined && { retention_ms: retentionDays === null ? null : retentionDays * day }),
  }
  await transact(db, async (trx) => {
    const before = await readWorkspace(trx, id)
    await updateWorkspaceRow(trx, id, values)
    if (retentionDays === undefined || retentionDays === null) return
    if (before.retentionDays !== null && before.retentionDays <= retentionDays) return
    // The rule is new or stricter: it is run a day later, and a mail tells of it first.
    await updateWorkspaceRow(trx, id, { retention_changed_at: Date.now() })
    const payload = { workspaceId: id, applicationId: null }
    await enqueueJobs(trx, [{ kind: 'announce-retention', key: `announce-retention of workspace ${id}`, payload }])
  })
  jobs.wake()
  return readWorkspace(db, id)
}

/** An administrator who requires a second factor without having one would lock themselves out. */
async function requireOwnFactor(db: Db, accountId: number): Promise<void> {
  const account = await findAccount({ db }, accountId)
  if (account?.totp_enabled_at !== null) return
  throw new ApiError('invalidRequest', {
    detail: 'Set up two-factor sign-in for your own account first',
    faults: [{ source: '/isTwoFactorRequired', detail: 'needs two-factor sign-in of your own account first' }],
  })
}
