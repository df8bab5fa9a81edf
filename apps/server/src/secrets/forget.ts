import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { encryptSecret, findKeyId } from './encrypt.ts'
import { forgetAuthenticator, forgetHook, listEncryptedAccounts, listEncryptedHooks } from './forget-store.ts'

type Keys = Pick<Config, 'secretsKeys'>

/**
 * Gives up what is encrypted with keys that the settings lack. Hooks of which something is lost are turned off, with an
 * address that leads nowhere and a secret that nobody knows. Accounts keep two-factor sign-in, by recovery codes.
 */
export async function forgetLostSecrets(db: Db, keys: Keys): Promise<{ hookCount: number; accountCount: number }> {
  const isLost = (stored: string | null) => {
    const keyId = stored === null ? undefined : findKeyId(stored)
    return keyId !== undefined && !keys.secretsKeys.some(({ id }) => id === keyId)
  }
  return transact(db, async (trx) => {
    const hooks = (await listEncryptedHooks(trx)).filter(({ url, secret, old_secret: old, feishu_secret: feishu }) =>
      [url, secret, old, feishu].some(isLost),
    )
    for (const { id } of hooks) {
      await forgetHook(trx, id, {
        url: encryptSecret(keys, 'hooks.url', 'https://lost.invalid/'),
        secret: encryptSecret(keys, 'hooks.secret', `whsec_${randomBytes(32).toString('base64')}`),
      })
    }
    const accounts = (await listEncryptedAccounts(trx)).filter(({ totp_secret: secret }) => isLost(secret))
    for (const { id } of accounts) await forgetAuthenticator(trx, id)
    return { hookCount: hooks.length, accountCount: accounts.length }
  })
}
