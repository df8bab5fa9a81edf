import { ApiError, type LoginProgress, roles } from '@fairlead/contract'
import { createApiToken } from '../api-tokens/create.ts'
import { recordByAccount } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { findApprover, findByDeviceCode, type LoginRow, takeApproved, updatePolling } from './store.ts'

/** What RFC 8628 adds to the interval of a client that asks too often. */
const slowDownStep = 5000
const slowestInterval = 60_000
/** A request that was on its way for a shorter time than the one before comes a little early. */
const tolerance = 1000

/**
 * Tells the command line what became of its login. The token is made now and not by the approval, so that it is stored
 * nowhere, and by the right that the person has now.
 *
 * @throws {ApiError} loginRequestNotFound
 */
export async function pollLogin(
  context: Pick<AppContext, 'db' | 'log'>,
  deviceCode: string,
  { address, target }: { address: string; target: string },
): Promise<LoginProgress> {
  const { db } = context
  const login = await findByDeviceCode(db, hashSecret(deviceCode))
  if (!login) throw new ApiError('loginRequestNotFound')
  const now = Date.now()
  if (login.expires_at <= now) return toProgress('expired', login.interval_ms)
  if (login.state === 'refused') return toProgress('refused', login.interval_ms)
  const isEarly = now < login.next_poll_at
  const interval = isEarly ? Math.min(login.interval_ms + slowDownStep, slowestInterval) : login.interval_ms
  if (isEarly || login.state === 'waiting') {
    await updatePolling(db, login.id, { interval_ms: interval, next_poll_at: now + interval - tolerance })
    return toProgress(isEarly ? 'slowDown' : 'waiting', interval)
  }
  const made = await transact(db, async (trx) => {
    const taken = await takeApproved(trx, login.id)
    if (!taken) throw new ApiError('loginRequestNotFound')
    return createTokenOf(trx, taken)
  })
  if (!made) return toProgress('refused', interval)
  const { apiToken, approver, workspaceId } = made
  const { id, name, role, expirationDate } = apiToken
  const details = { id, name, role, expirationDate }
  await recordByAccount(context, approver, workspaceId, { action: 'apiToken.create', address, target, details })
  return { ...toProgress('approved', interval), apiToken }
}

/** Makes the token, unless the person has lost the right to it since the approval. */
async function createTokenOf(trx: Db, login: LoginRow) {
  const { account_id: accountId, workspace_id: workspaceId, role, token_expires_at: expiresAt } = login
  if (accountId === null || workspaceId === null || role === null) return undefined
  if (expiresAt !== null && expiresAt <= Date.now()) return undefined
  const approver = await findApprover(trx, accountId, workspaceId)
  if (!approver || roles.indexOf(approver.role) < roles.indexOf(role)) return undefined
  const apiToken = await createApiToken(
    { db: trx },
    workspaceId,
    { name: `fairlead on ${login.name}`, role, expirationDate: toInstantOrNull(expiresAt) },
    { createdBy: approver.name, accountId, isLogin: true },
  )
  return { apiToken, approver: { id: accountId, name: approver.name }, workspaceId }
}

function toProgress(state: LoginProgress['state'], intervalMs: number): LoginProgress {
  return { state, intervalSeconds: intervalMs / 1000, apiToken: null }
}
