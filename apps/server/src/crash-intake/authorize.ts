import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { findRememberedKey } from './crash-key-memo.ts'
import { parseCrashKey } from './crash-key.ts'
import { updateKeyUse } from './store.ts'

/** `last_used_at` is written at most once in this many milliseconds. */
const useInterval = 60_000

/** Finds the enabled crash key with this text. @throws {ApiError} crashKeyRefused */
export async function requireCrashKey(
  { db }: Pick<AppContext, 'db'>,
  text: string | undefined,
): Promise<Row<'crash_keys'>> {
  const key = parseCrashKey(text)
  const row = key === undefined ? undefined : await findRememberedKey(db, key)
  if (!row || row.is_enabled !== 1) throw new ApiError('crashKeyRefused')
  const now = Date.now()
  if (row.last_used_at === null || row.last_used_at < now - useInterval) {
    // The remembered row changes first, so that the next delivery does not write the time again.
    row.last_used_at = now
    await updateKeyUse(db, row.id, now)
  }
  return row
}

/** Finds the key as Sentry's SDKs send it: in a header or in the query. */
export function findSentryKey(
  headers: Record<string, string | string[] | undefined>,
  query: unknown,
): string | undefined {
  for (const name of ['x-sentry-auth', 'authorization']) {
    const value = headers[name]
    if (typeof value !== 'string' || !/^\s*sentry\s/i.test(value)) continue
    const key = /(?:^|[\s,])sentry_key\s{0,4}=\s{0,4}"?([0-9a-zA-Z-]{1,64})/i.exec(value.slice(0, 2000))?.[1]
    if (key !== undefined) return key
  }
  const given = typeof query === 'object' && query !== null && 'sentry_key' in query ? query.sentry_key : undefined
  return typeof given === 'string' ? given : undefined
}

/** Finds the key in the `dsn` of an envelope's header, such as `https://key@host/1`. */
export function findDsnKey(dsn: unknown): string | undefined {
  return typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn)?.username : undefined
}

/** Finds the login of an `Authorization: Basic` header. */
export function findBasicLogin(header: string | undefined): string | undefined {
  const encoded = /^basic\s{1,4}([\w+/=-]{1,500})$/i.exec(header ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('latin1').split(':')[0]
}
