/** The tables of hooks, the events that they tell of, and their deliveries, as Kysely types. */
import type { HookDeliveryError, HookDeliveryState, HookEventType, HookFormat, HookInclude } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'
import type { SecretText } from '../secret-text.ts'

interface HooksTable {
  id: Generated<number>
  workspace_id: number
  name: string
  url: SecretText
  format: HookFormat
  events: JsonText<('*' | HookEventType)[]>
  /** Null for all applications of the workspace. */
  application_ids: JsonText<number[]> | null
  includes: JsonText<HookInclude[]>
  /** `whsec_` and the key in base64. Deliveries are signed with it, so a digest would not do. */
  secret: SecretText
  /** The secret before the last rotation, which signs as well until `old_secret_until`. */
  old_secret: SecretText | null
  old_secret_until: number | null
  feishu_secret: SecretText | null
  is_enabled: Generated<number>
  disabled_reason: 'hand' | 'gone' | 'failing' | null
  disabled_at: number | null
  /** When the hook was created or turned on again. */
  enabled_at: number
  last_success_at: number | null
  last_failure_at: number | null
  created_at: number
  created_by: string | null
}

/** The facts of an event. What a body shows of them depends on the `includes` of its hook. */
export interface StoredEvent {
  applicationId: number | null
  applicationAlias: string | null
  /** The name of the application, which chats show. */
  applicationName: string | null
  /** What the table of events names for the type. */
  data: Record<string, unknown>
  /** The secret of the install link; the link is a permission. */
  installSecret?: string | undefined
  texts?: Record<string, string | null> | undefined
  people?: Record<string, unknown> | undefined
}

interface HookEventsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number | null
  /** The hook of a test; null for an event that all hooks may tell of. */
  hook_id: number | null
  type: HookEventType
  webhook_id: string
  event: JsonText<StoredEvent>
  created_at: number
}

interface HookDeliveriesTable {
  id: Generated<number>
  workspace_id: number
  hook_id: number
  event_id: number
  state: HookDeliveryState
  attempt_count: Generated<number>
  /** The body that is sent; null before the first attempt, which makes it from the event. */
  body: string | null
  /** When the next attempt is due; null when there is none. */
  next_attempt_at: number | null
  /** Until then, a process is making an attempt. Its end also tells that process whether the claim is still its own. */
  claimed_until: number | null
  last_status: number | null
  last_error: HookDeliveryError | null
  redelivery_of: number | null
  created_at: number
  finished_at: number | null
}

interface HookAttemptsTable {
  id: Generated<number>
  workspace_id: number
  delivery_id: number
  started_at: number
  duration_ms: number
  status: number | null
  error: HookDeliveryError | null
  excerpt: string | null
}

export interface HooksSchema {
  hooks: HooksTable
  hook_events: HookEventsTable
  hook_deliveries: HookDeliveriesTable
  hook_attempts: HookAttemptsTable
}
