import type { CrashKey } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'

export function toCrashKey(row: Row<'crash_keys'>, baseUrl: string): CrashKey {
  const dsn = new URL(`${baseUrl}/${row.application_id}`)
  dsn.username = row.key
  return {
    id: row.id,
    name: row.name,
    key: row.key,
    isEnabled: row.is_enabled === 1,
    createdDate: toInstant(row.created_at),
    lastUsedDate: toInstantOrNull(row.last_used_at),
    sentryDsn: dsn.href,
    appCenterLogUrl: `${baseUrl}/api/appcenter`,
    acraUrl: `${baseUrl}/api/acra/${row.key}`,
  }
}

/** Apps may write a key with hyphens, as App Center's secrets are written. Undefined for text that is no key. */
export function parseCrashKey(text: string | undefined): string | undefined {
  const digits = text?.trim().replaceAll('-', '').toLowerCase()
  return digits !== undefined && /^[0-9a-f]{32}$/.test(digits) ? digits : undefined
}
