import { ApiError, type StartedLogin, type StartLogin } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { toInstant } from '../http/instant.ts'
import { toNetwork } from '../passwords/network.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { createDeviceCode, createUserCode, hashUserCode } from './codes.ts'
import { countLogins, deleteLoginsBefore, insertLogin } from './store.ts'

const lifetime = 10 * 60_000
const interval = 5000
/** The most logins that may wait at a time, on the whole server. */
const openLimit = 1000

/**
 * Begins a login of the command line, for anybody: it gives no right before a person approves it.
 *
 * @throws {ApiError} tooManyRequests
 */
export async function startLogin(
  context: Pick<AppContext, 'db' | 'config' | 'guard' | 'signingKey'>,
  { name }: StartLogin,
  { address, userAgent }: { address: string; userAgent: string | null },
): Promise<StartedLogin> {
  const { db, config, guard } = context
  await guard.loginsByAddress.check(toNetwork(address))
  const now = Date.now()
  // The rows stay for a while after they have expired, so that the command line learns that they have.
  await deleteLoginsBefore(db, now - lifetime)
  if ((await countLogins(db, now)) >= openLimit) {
    throw new ApiError('tooManyRequests', { headers: { 'retry-after': String(lifetime / 1000) } })
  }
  const deviceCode = createDeviceCode()
  const expiresAt = now + lifetime
  for (;;) {
    const userCode = createUserCode()
    try {
      await insertLogin(db, {
        device_code_hash: hashSecret(deviceCode),
        user_code_hash: hashUserCode(context, userCode),
        name,
        address,
        user_agent: userAgent,
        state: 'waiting',
        interval_ms: interval,
        next_poll_at: now,
        created_at: now,
        expires_at: expiresAt,
      })
    } catch (error) {
      // Another login has the same code at the moment.
      if (isUniqueViolation(error)) continue
      throw error
    }
    const verificationUrl = `${config.baseUrl}/login`
    return {
      deviceCode,
      userCode,
      verificationUrl,
      completeVerificationUrl: `${verificationUrl}?code=${userCode}`,
      expirationDate: toInstant(expiresAt),
      intervalSeconds: interval / 1000,
    }
  }
}
