/** The tables of crash intake as Kysely types. */
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'
import type { ContentEncoding, DeliveryOptions, DeliveryProtocol } from '@fairlead/crashes'

interface CrashKeysTable {
  id: Generated<number>
  application_id: number
  name: string
  key: string
  is_enabled: number
  created_at: number
  last_used_at: number | null
}

/** Crash deliveries that were acknowledged and not read yet, as the app sent them. */
interface CrashInboxTable {
  id: Generated<number>
  application_id: number
  protocol: DeliveryProtocol
  /** The Content-Encoding of the body; null for a plain one. */
  encoding: ContentEncoding | null
  /** Fields that the request's headers add. */
  options: JsonText<DeliveryOptions>
  body: Uint8Array
  received_at: number
}

interface CrashDropsTable {
  application_id: number
  reason: string
  count: number
}

/** A version of an app as its crashes and sessions name it. A value that they do not name is empty text. */
interface ReleasesTable {
  id: Generated<number>
  application_id: number
  package: string
  short_version: string
  version: string
  environment: Generated<string>
  first_seen_at: number
}

interface SessionDaysTable {
  application_id: number
  release_id: number
  day: number
  started_count: number
  crashed_count: number
  /** The sets of installs that started, and whose sessions crashed; see crash-releases/install-sketch.ts. */
  started_sketch: Uint8Array | null
  crashed_sketch: Uint8Array | null
}

/** The sessions of all releases of an environment by day, which the overview counts by. */
interface SessionTotalsTable {
  application_id: number
  environment: string
  day: number
  started_count: number
  crashed_count: number
}

/** The sessions of the last days, so that a session that is sent twice is counted once. */
interface SessionMarksTable {
  application_id: number
  session: string
  is_started: number
  is_crashed: number
  marked_at: number
}

export interface CrashIntakeSchema {
  crash_keys: CrashKeysTable
  crash_inbox: CrashInboxTable
  crash_drops: CrashDropsTable
  releases: ReleasesTable
  session_days: SessionDaysTable
  session_totals: SessionTotalsTable
  session_marks: SessionMarksTable
}
