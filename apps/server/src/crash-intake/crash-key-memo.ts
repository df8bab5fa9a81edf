import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { findCrashKey } from './store.ts'

/**
 * How long a key is remembered, in milliseconds. Another replica may accept a key that was disabled for as long as
 * this, which does no harm, because a key can only send crashes.
 */
const rememberedMs = 1000
/** The most keys that are remembered; only keys in the database are. */
const maxKeys = 10_000

interface Remembered {
  row: Row<'crash_keys'>
  endsAt: number
}

const memos = new WeakMap<Db, Map<string, Remembered>>()

/** Finds a key, which an app sends with every delivery, without asking the database each time. */
export async function findRememberedKey(db: Db, key: string): Promise<Row<'crash_keys'> | undefined> {
  const memo = memos.get(db) ?? new Map<string, Remembered>()
  memos.set(db, memo)
  const known = memo.get(key)
  const now = Date.now()
  if (known && known.endsAt > now) return known.row
  const row = await findCrashKey(db, key)
  // A change of a key meanwhile has replaced the memo.
  if (row && memos.get(db) === memo) {
    if (memo.size >= maxKeys) memo.clear()
    memo.set(key, { row, endsAt: now + rememberedMs })
  }
  return row
}

/** Makes this process ask the database again. Call it after a change of a key. */
export function forgetCrashKeys(db: Db): void {
  memos.delete(db)
}
