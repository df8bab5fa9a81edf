import type { Db } from '../db/open.ts'
import type { SecretText } from '../db/secret-text.ts'
import { hashRecoveryCode } from './recovery-codes.ts'

export async function setPendingSecret(db: Db, accountId: number, secret: SecretText): Promise<boolean> {
  const updated = await db
    .updateTable('accounts')
    .set({ totp_secret: secret })
    .where('id', '=', accountId)
    .where('totp_enabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function enableTwoFactor(trx: Db, accountId: number): Promise<void> {
  await trx.updateTable('accounts').set({ totp_enabled_at: Date.now() }).where('id', '=', accountId).execute()
}

export async function deleteTwoFactor(trx: Db, accountId: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ totp_secret: null, totp_enabled_at: null })
    .where('id', '=', accountId)
    .execute()
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

/** Records the time step of a code. Returns false when this step or a later one was used before. */
export async function takeTotpStep(db: Db, accountId: number, step: number): Promise<boolean> {
  const updated = await db
    .updateTable('accounts')
    .set({ totp_last_step: step })
    .where('id', '=', accountId)
    .where('totp_last_step', '<', step)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Replaces the recovery codes of an account. Call it in a transaction. */
export async function replaceRecoveryCodes(trx: Db, accountId: number, codes: string[]): Promise<void> {
  // This locks the account's row. PostgreSQL deletes only the codes that it sees, so without the lock two replacements
  // at once would both leave their codes.
  await trx
    .updateTable('accounts')
    .set((account) => ({ totp_secret: account.ref('totp_secret') }))
    .where('id', '=', accountId)
    .execute()
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  const rows = codes.map((code) => ({ account_id: accountId, code_hash: hashRecoveryCode(code) }))
  await trx.insertInto('recovery_codes').values(rows).execute()
}

/** Deletes a recovery code. Returns whether the account had it. */
export async function takeRecoveryCode(db: Db, accountId: number, code: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashRecoveryCode(code))
    .returning('account_id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function countRecoveryCodes(db: Db, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}
