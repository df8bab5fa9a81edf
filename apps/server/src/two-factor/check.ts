import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { decryptSecret } from '../secrets/encrypt.ts'
import { takeRecoveryCode, takeTotpStep } from './store.ts'
import { findTotpStep } from './totp.ts'

type Context = Pick<AppContext, 'db' | 'guard' | 'config'>

/**
 * Checks the second factor of an account that has one. Each code works once.
 *
 * @throws {ApiError} twoFactorCode when the code is missing or wrong; tooManyRequests
 */
export async function checkSecondFactor(
  context: Context,
  account: Row<'accounts'>,
  code: string | undefined,
): Promise<void> {
  if (account.totp_enabled_at === null) return
  if (code === undefined || code.trim() === '') {
    throw new ApiError('twoFactorCode', { faults: [{ source: '/code', detail: 'is missing' }] })
  }
  const { byCode } = context.guard
  await byCode.check(String(account.id))
  if (!(await useCode(context, account, code))) refuseCode()
  await byCode.forget(String(account.id))
}

/** @throws {ApiError} twoFactorCode saying that the code is wrong */
export function refuseCode(): never {
  throw new ApiError('twoFactorCode', {
    detail: 'The code is wrong or was used before',
    faults: [{ source: '/code', detail: 'is wrong or was used before' }],
  })
}

async function useCode(context: Context, account: Row<'accounts'>, code: string): Promise<boolean> {
  const step = findStep(context, account, code)
  if (step !== undefined) return takeTotpStep(context.db, account.id, step)
  return takeRecoveryCode(context.db, account.id, code)
}

/** Returns the time step of a code of the authenticator app, or undefined when it is none. */
export function findStep(
  { config }: Pick<AppContext, 'config'>,
  { totp_secret: stored }: Pick<Row<'accounts'>, 'totp_secret'>,
  code: string,
): number | undefined {
  return stored === null ? undefined : findTotpStep(decryptSecret(config, 'accounts.totp_secret', stored), code)
}
