import { ApiError, type CreatedHook, type CreateHook, type Hook, type UpdateHook } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { findUrlFault } from '../outbound/check-url.ts'
import { encryptSecret } from '../secrets/encrypt.ts'
import { stopDeliveries } from './delivery-store.ts'
import { describeHook, requireHook, toHook } from './hook.ts'
import { createHookSecret } from './signature.ts'
import { countApplications, insertHook, lockHooks, updateHookRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config'>

const maxHooks = 50

/** Creates a hook. @throws {ApiError} hookAddress, unknownApplication, tooManyHooks */
export async function createHook(
  { db, config }: Context,
  { workspaceId, name: createdBy }: { workspaceId: number; name: string },
  input: CreateHook,
): Promise<CreatedHook> {
  refuseAddress(config, input.url)
  const secret = createHookSecret()
  const now = Date.now()
  const row = await transact(db, async (trx) => {
    await refuseApplications(trx, workspaceId, input.applicationIds)
    if ((await lockHooks(trx, workspaceId)) >= maxHooks) throw new ApiError('tooManyHooks')
    return insertHook(trx, {
      workspace_id: workspaceId,
      name: input.name,
      url: encryptSecret(config, 'hooks.url', input.url),
      format: input.format ?? 'standard',
      events: toJsonText(unique(input.events)),
      application_ids: toIdsText(input.applicationIds),
      includes: toJsonText(unique(input.includes ?? [])),
      secret: encryptSecret(config, 'hooks.secret', secret),
      feishu_secret: encryptFeishuSecret(config, input),
      enabled_at: now,
      created_at: now,
      created_by: createdBy,
    })
  })
  return { ...toHook(config, row), secret }
}

/**
 * Changes a hook. A hook that is turned off stops what waits; one that is turned on sends only what comes from then on.
 *
 * @throws {ApiError} hookNotFound, hookAddress, unknownApplication
 */
export async function updateHook(
  { db, config }: Context,
  workspaceId: number,
  id: number,
  { name, url, events, applicationIds, includes, isEnabled }: UpdateHook,
): Promise<Hook> {
  if (url !== undefined) refuseAddress(config, url)
  return transact(db, async (trx) => {
    const before = await requireHook(trx, workspaceId, id)
    await refuseApplications(trx, workspaceId, applicationIds)
    const now = Date.now()
    const turns = isEnabled !== undefined && isEnabled !== (before.is_enabled === 1)
    const row = await updateHookRow(trx, workspaceId, id, {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url: encryptSecret(config, 'hooks.url', url) }),
      ...(events !== undefined && { events: toJsonText(unique(events)) }),
      ...(applicationIds !== undefined && { application_ids: toIdsText(applicationIds) }),
      ...(includes !== undefined && { includes: toJsonText(unique(includes)) }),
      ...(turns && isEnabled && { is_enabled: 1, disabled_reason: null, disabled_at: null, enabled_at: now }),
      ...(turns && !isEnabled && { is_enabled: 0, disabled_reason: 'hand', disabled_at: now }),
    })
    if (!row) throw new ApiError('hookNotFound')
    if (turns) await stopDeliveries(trx, id, now)
    return describeHook({ db: trx, config }, row)
  })
}

function encryptFeishuSecret(config: Context['config'], { format, feishuSecret }: CreateHook) {
  if (format !== 'feishu' || !feishuSecret) return null
  return encryptSecret(config, 'hooks.feishu_secret', feishuSecret)
}

function refuseAddress({ hooks }: Context['config'], url: string): void {
  const fault = findUrlFault(hooks.allow, url)
  if (fault !== undefined) throw new ApiError('hookAddress', { faults: [{ source: '/url', detail: fault }] })
}

async function refuseApplications(trx: Db, workspaceId: number, ids: number[] | null | undefined): Promise<void> {
  if (ids === null || ids === undefined) return
  const wanted = unique(ids)
  if ((await countApplications(trx, workspaceId, wanted)) === wanted.length) return
  const detail = 'names an application that does not exist'
  throw new ApiError('unknownApplication', { faults: [{ source: '/applicationIds', detail }] })
}

function toIdsText(ids: number[] | null | undefined) {
  return ids === null || ids === undefined ? null : toJsonText(unique(ids))
}

function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)]
}
