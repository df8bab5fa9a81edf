import { createHmac } from 'node:crypto'
import type { AppContext } from '../context.ts'

/** Derives an application's key for the HMAC that replaces the ids of installations. */
export function toInstallSecret({ signingKey }: Pick<AppContext, 'signingKey'>, applicationId: number): Buffer {
  return createHmac('sha256', signingKey).update(`installs of application ${applicationId}`).digest()
}
