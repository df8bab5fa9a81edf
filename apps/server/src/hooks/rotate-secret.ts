import { ApiError, type RotatedHookSecret, type RotateHookSecret } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { decryptSecret, encryptSecret } from '../secrets/encrypt.ts'
import { requireHook } from './hook.ts'
import { createHookSecret } from './signature.ts'
import { updateHookRow } from './store.ts'

const hourMs = 60 * 60 * 1000

/** Gives a hook a new secret. Deliveries are signed with the one before it as well, for a while. */
export async function rotateHookSecret(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  id: number,
  { keepOldHours = 24 }: RotateHookSecret,
): Promise<RotatedHookSecret> {
  const secret = createHookSecret()
  const until = keepOldHours === 0 ? null : Date.now() + keepOldHours * hourMs
  await transact(db, async (trx) => {
    const hook = await requireHook(trx, workspaceId, id)
    const old = decryptSecret(config, 'hooks.secret', hook.secret)
    const values = {
      secret: encryptSecret(config, 'hooks.secret', secret),
      old_secret: until === null ? null : encryptSecret(config, 'hooks.old_secret', old),
      old_secret_until: until,
    }
    if (!(await updateHookRow(trx, workspaceId, id, values))) throw new ApiError('hookNotFound')
  })
  return { secret, oldSecretUntilDate: toInstantOrNull(until) }
}
