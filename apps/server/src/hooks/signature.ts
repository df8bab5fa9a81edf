import { createHmac, randomBytes } from 'node:crypto'
import type { OpenHook } from './open-hook.ts'

const prefix = 'whsec_'

export function createHookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/**
 * Returns the headers of Standard Webhooks for the bytes that are sent. Until the end of a rotation both secrets sign,
 * the new one first. The key is what the base64 of the secret stands for.
 */
export function toSignatureHeaders(
  hook: Pick<OpenHook, 'secret' | 'old_secret' | 'old_secret_until'>,
  webhookId: string,
  body: Buffer,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const isOldValid = hook.old_secret !== null && hook.old_secret_until !== null && hook.old_secret_until > now
  const secrets = [hook.secret, isOldValid ? hook.old_secret : null].filter((secret) => secret !== null)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.`).update(body).digest('base64')}`
  })
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
