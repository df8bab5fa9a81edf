import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

type Encrypted = 'url' | 'secret' | 'old_secret' | 'feishu_secret'

export async function listEncryptedHooks(db: Db): Promise<Pick<Row<'hooks'>, 'id' | Encrypted>[]> {
  return db.selectFrom('hooks').select(['id', 'url', 'secret', 'old_secret', 'feishu_secret']).execute()
}

export async function listEncryptedAccounts(db: Db): Promise<Pick<Row<'accounts'>, 'id' | 'totp_secret'>[]> {
  return db.selectFrom('accounts').select(['id', 'totp_secret']).where('totp_secret', 'is not', null).execute()
}

export async function forgetHook(db: Db, id: number, values: Pick<Row<'hooks'>, 'url' | 'secret'>): Promise<void> {
  const off = { is_enabled: 0, disabled_reason: 'hand' as const, disabled_at: Date.now() }
  await db
    .updateTable('hooks')
    .set({ ...values, ...off, old_secret: null, old_secret_until: null, feishu_secret: null })
    .where('id', '=', id)
    .execute()
}

export async function forgetAuthenticator(db: Db, id: number): Promise<void> {
  await db.updateTable('accounts').set({ totp_secret: null }).where('id', '=', id).execute()
}
