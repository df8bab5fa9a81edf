import { ApiError, type Hook, type HookAttempt, type HookDelivery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { decryptSecret } from '../secrets/encrypt.ts'
import { type DeliveryRecord, findDeliveryRecord } from './delivery-store.ts'
import { countWaiting, findHookRow, type HookRow } from './store.ts'

/** @throws {ApiError} hookNotFound */
export async function requireHook(db: Db, workspaceId: number, id: number): Promise<HookRow> {
  const hook = await findHookRow(db, workspaceId, id)
  if (!hook) throw new ApiError('hookNotFound')
  return hook
}

/** @throws {ApiError} hookDeliveryNotFound */
export async function requireDelivery(db: Db, workspaceId: number, id: number): Promise<DeliveryRecord> {
  const delivery = await findDeliveryRecord(db, workspaceId, id)
  if (!delivery) throw new ApiError('hookDeliveryNotFound')
  return delivery
}

export async function describeHook({ db, config }: Pick<AppContext, 'db' | 'config'>, row: HookRow): Promise<Hook> {
  return toHook(config, row, (await countWaiting(db, [row.id])).get(row.id))
}

export function toHook(config: AppContext['config'], row: HookRow, waitingCount = 0): Hook {
  return {
    id: row.id,
    name: row.name,
    url: decryptSecret(config, 'hooks.url', row.url),
    format: row.format,
    events: parseJsonText(row.events),
    applicationIds: row.application_ids === null ? null : parseJsonText(row.application_ids),
    includes: parseJsonText(row.includes),
    isEnabled: row.is_enabled === 1,
    disabledReason: row.disabled_reason,
    disabledDate: toInstantOrNull(row.disabled_at),
    waitingCount,
    lastSuccessDate: toInstantOrNull(row.last_success_at),
    lastFailureDate: toInstantOrNull(row.last_failure_at),
    createdDate: toInstant(row.created_at),
    createdBy: row.created_by,
  }
}

export function toHookDelivery(row: DeliveryRecord): HookDelivery {
  return {
    id: row.id,
    hookId: row.hook_id,
    webhookId: row.webhook_id,
    type: row.type,
    state: row.state,
    attemptCount: row.attempt_count,
    createdDate: toInstant(row.created_at),
    nextAttemptDate: toInstantOrNull(row.next_attempt_at),
    finishedDate: toInstantOrNull(row.finished_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    redeliveryOf: row.redelivery_of,
  }
}

export function toHookAttempt(row: Row<'hook_attempts'>): HookAttempt {
  return {
    startedDate: toInstant(row.started_at),
    durationMs: row.duration_ms,
    status: row.status,
    error: row.error,
    responseExcerpt: row.excerpt,
  }
}
