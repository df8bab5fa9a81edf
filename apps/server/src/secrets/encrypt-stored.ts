import { type Config, ConfigError } from '../config.ts'
import type { Db } from '../db/open.ts'
import { decryptSecret, encryptSecret, findKeyId } from './encrypt.ts'
import { listSecretPlaces } from './places.ts'
import { listOtherSecrets, replaceSecret } from './stored-store.ts'

const batchSize = 500

/**
 * Encrypts what is stored readable or with an earlier key. Replicas may do so at once: a row is changed only if it is
 * still as it was read.
 *
 * @throws {ConfigError} when something is encrypted with a key that the settings lack; nothing is changed then
 */
export async function encryptStoredSecrets(db: Db, config: Pick<Config, 'secretsKeys'>): Promise<void> {
  await refuseLostKeys(db, config)
  const [newest] = config.secretsKeys
  if (!newest) return
  for await (const { place, table, column, rows } of readOtherSecrets(db, newest.id)) {
    for (const { id, value } of rows) {
      const fresh = encryptSecret(config, place, decryptSecret(config, place, value))
      await replaceSecret(db, { table, column, id, value }, fresh)
    }
  }
}

async function refuseLostKeys(db: Db, { secretsKeys }: Pick<Config, 'secretsKeys'>): Promise<void> {
  const lost = new Map<string, number>()
  for await (const { rows } of readOtherSecrets(db, secretsKeys[0]?.id)) {
    for (const { value } of rows) {
      const keyId = findKeyId(value)
      if (keyId === undefined || secretsKeys.some(({ id }) => id === keyId)) continue
      lost.set(keyId, (lost.get(keyId) ?? 0) + 1)
    }
  }
  if (lost.size === 0) return
  throw new ConfigError(
    [...lost].map(
      ([id, count]) =>
        `FAIRLEAD_SECRETS_KEY lacks the key ${id}, with which ${count} secrets of the database are encrypted; ` +
        'if it is lost, `fairlead-server forget-secrets` gives them up',
    ),
  )
}

/** Reads the secrets that are not encrypted with a key. */
async function* readOtherSecrets(db: Db, keyId: string | undefined) {
  for (const place of listSecretPlaces()) {
    for (let above = 0; ;) {
      const rows = await listOtherSecrets(db, place, { keyId, above, limit: batchSize })
      const last = rows.at(-1)
      if (!last) break
      yield { ...place, rows }
      above = last.id
    }
  }
}
