import {
  ApiError,
  type ProveIdentity,
  type RecoveryCodes,
  type TwoFactor,
  type TwoFactorSecret,
} from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { isRightPassword } from '../passwords/guard.ts'
import { encryptSecret } from '../secrets/encrypt.ts'
import { checkSecondFactor, findStep, refuseCode } from './check.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import {
  countRecoveryCodes,
  deleteTwoFactor,
  enableTwoFactor,
  replaceRecoveryCodes,
  setPendingSecret,
  takeTotpStep,
} from './store.ts'
import { createTotpSecret, toTotpUri } from './totp.ts'

type Context = Pick<AppContext, 'db' | 'guard' | 'config'>
type AccountRow = Row<'accounts'>

export async function readTwoFactor({ db }: Pick<AppContext, 'db'>, account: AccountRow): Promise<TwoFactor> {
  return {
    isEnabled: account.totp_enabled_at !== null,
    enabledDate: toInstantOrNull(account.totp_enabled_at),
    recoveryCodesLeft: await countRecoveryCodes(db, account.id),
  }
}

/**
 * Creates a secret for an authenticator app. It is in use once a first code has confirmed it.
 *
 * @throws {ApiError} invalidRequest when the password is wrong; twoFactorEnabled, tooManyRequests
 */
export async function startTwoFactor(
  context: Context,
  account: AccountRow,
  password: string,
  address: string,
): Promise<TwoFactorSecret> {
  if (account.totp_enabled_at !== null) throw new ApiError('twoFactorEnabled')
  await requirePassword(context, account, password, address)
  const secret = createTotpSecret()
  const stored = encryptSecret(context.config, 'accounts.totp_secret', secret)
  if (!(await setPendingSecret(context.db, account.id, stored))) throw new ApiError('twoFactorEnabled')
  return { secret, uri: toTotpUri(secret, account.email) }
}

/**
 * Turns two-factor sign-in on and returns the recovery codes.
 *
 * @throws {ApiError} twoFactorEnabled, twoFactorCode, tooManyRequests
 */
export async function confirmTwoFactor(context: Context, account: AccountRow, code: string): Promise<RecoveryCodes> {
  if (account.totp_enabled_at !== null) throw new ApiError('twoFactorEnabled')
  await context.guard.byCode.check(String(account.id))
  const step = findStep(context, account, code)
  if (step === undefined) refuseCode()
  const recoveryCodes = createRecoveryCodes()
  await transact(context.db, async (trx) => {
    if (!(await takeTotpStep(trx, account.id, step))) refuseCode()
    await enableTwoFactor(trx, account.id)
    await replaceRecoveryCodes(trx, account.id, recoveryCodes)
  })
  return { recoveryCodes }
}

/** @throws {ApiError} invalidRequest when the password is wrong; twoFactorCode, tooManyRequests */
export async function disableTwoFactor(
  context: Context,
  account: AccountRow,
  { password, code }: ProveIdentity,
  address: string,
): Promise<void> {
  await requirePassword(context, account, password, address)
  await checkSecondFactor(context, account, code)
  await transact(context.db, (trx) => deleteTwoFactor(trx, account.id))
}

/**
 * Replaces the recovery codes, so that the old ones stop working.
 *
 * @throws {ApiError} invalidRequest when the password is wrong; twoFactorCode, tooManyRequests
 */
export async function renewRecoveryCodes(
  context: Context,
  account: AccountRow,
  { password, code }: ProveIdentity,
  address: string,
): Promise<RecoveryCodes> {
  await requirePassword(context, account, password, address)
  if (account.totp_enabled_at === null) refuseCode()
  await checkSecondFactor(context, account, code)
  const recoveryCodes = createRecoveryCodes()
  await transact(context.db, (trx) => replaceRecoveryCodes(trx, account.id, recoveryCodes))
  return { recoveryCodes }
}

async function requirePassword(
  { guard }: Context,
  account: AccountRow,
  password: string,
  address: string,
): Promise<void> {
  // The session proves that this browser signed in before, so failures elsewhere do not hold it up.
  const attempt = { email: account.email, password, account, address, isKnownNetwork: async () => true }
  if (await isRightPassword(guard, attempt)) return
  throw new ApiError('invalidRequest', {
    detail: 'The password is wrong',
    faults: [{ source: '/password', detail: 'is wrong' }],
  })
}
