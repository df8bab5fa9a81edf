import { ApiError, type RotatedHookSecret, type RotateHookSecret } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { requireHook } from './hook.ts'
import { createHookSecret } from './signature.ts'
import { updateHookRow } from './store.ts'

const hourMs = 60 * 60 * 1000

/** Gives a hook a new secret. Deliveries are signed with the one before it as well, for a while. */
export async function rotateHookSecret(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
  { keepOldHours = 24 }: RotateHookSecret,
): Promise<RotatedHookSecret> {
  const secret = createHookSecret()
  const until = keepOldHours === 0 ? null : Date.now() + keepOldHours * hourMs
  await transact(db, async (trx) => {
    const hook = await requireHook(trx, workspaceId, id)
    const old = { old_secret: until === null ? null : hook.secret, old_secret_until: until }
    if (!(await updateHookRow(trx, workspaceId, id, { secret, ...old }))) throw new ApiError('hookNotFound')
  })
  return { secret, oldSecretUntilDate: toInstantOrNull(until) }
}
