/**
 * Secrets that the server has to read again, such as keys that sign for receivers. With `FAIRLEAD_SECRETS_KEY` they are
 * stored as
 *
 *     aes-256-gcm:KEY-ID:BASE64URL      12 bytes of nonce, the ciphertext, 16 bytes of tag
 *
 * and without it as they are; one that looks like one of these forms comes after `readable:`. The place, table and
 * column, is authenticated as well, so that somebody who can write to the database cannot have a secret shown by moving
 * it to a column that is shown.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { SecretText } from '../db/secret-text.ts'
import type { SecretPlace } from './places.ts'

type Keys = Pick<Config, 'secretsKeys'>

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const readable = 'readable:'
const pattern = /^aes-256-gcm:([0-9a-f]{8}):([\w-]+)$/

/** What was encrypted with a key that the server does not have, or was changed. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError'
}

/** Returns a secret as it is stored at a place. */
export function encryptSecret({ secretsKeys: [newest] }: Keys, place: SecretPlace, text: string): SecretText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where such texts are made
  if (!newest) return (/^(readable|aes-256-gcm):/.test(text) ? readable + text : text) as SecretText
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, newest.key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where such texts are made
  return `${algorithm}:${newest.id}:${sealed.toString('base64url')}` as SecretText
}

/** Returns a secret that is stored at a place. @throws {UnreadableSecretError} */
export function decryptSecret({ secretsKeys }: Keys, place: SecretPlace, stored: SecretText): string {
  const [, id, content] = pattern.exec(stored) ?? []
  if (id === undefined || content === undefined) {
    return stored.startsWith(readable) ? stored.slice(readable.length) : stored
  }
  const used = secretsKeys.find((one) => one.id === id)
  if (!used)
    throw new UnreadableSecretError(`${place} is encrypted with the key ${id}, which FAIRLEAD_SECRETS_KEY lacks`)
  const sealed = Buffer.from(content, 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, used.key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-tagBytes))
    const text = [decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  } catch (cause) {
    throw new UnreadableSecretError(`${place} was changed after it was encrypted`, { cause })
  }
}

/** Returns the id of the key that a stored secret is encrypted with, or undefined when it is readable. */
export function findKeyId(stored: string): string | undefined {
  return pattern.exec(stored)?.[1]
}
