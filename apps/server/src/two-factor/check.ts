import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { takeRecoveryCode, takeTotpStep } from './store.ts'
import { findTotpStep } from './totp.ts'

type Context = Pick<AppContext, 'db' | 'guard'>

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

async function useCode({ db }: Context, account: Row<'accounts'>, code: string): Promise<boolean> {
  const step = account.totp_secret === null ? undefined : findTotpStep(account.totp_secret, code)
  if (step !== undefined) return takeTotpStep(db, account.id, step)
  return takeRecoveryCode(db, account.id, code)
}
