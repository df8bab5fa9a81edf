import { createHmac } from 'node:crypto'
import type { AppContext } from '../context.ts'

/** The key of the HMAC that stands for an installation's id, one for each application. */
export function toInstallSecret({ signingKey }: Pick<AppContext, 'signingKey'>, applicationId: number): Buffer {
  return createHmac('sha256', signingKey).update(`installs of application ${applicationId}`).digest()
}
