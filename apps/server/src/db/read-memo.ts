import type { Changes, Topic } from './changes.ts'
import { createWeightedMap } from './weighted-map.ts'

/**
 * Remembers the results of reads until one of the rows behind them changes. This is exact for the embedded database,
 * because all writes pass one connection of this process. Over PostgreSQL other replicas write too, so nothing is
 * remembered here. See decision 002.
 */
export interface ReadMemo {
  /** Returns the remembered value for the key, or the result of `read`. Callers must not change the value. */
  remember<Value>(key: string, read: () => Promise<Value>, kept: Kept<NonNullable<Value>>): Promise<Value> | Value
  /** What changed when; undefined over PostgreSQL. */
  changes: Changes | undefined
}

export interface Kept<Value> {
  /** What the value is made of. */
  topics: (value: Value) => readonly Topic[]
  /** Estimates the bytes of a large value. */
  weigh?: (value: Value) => number
}

interface Remembered {
  value: unknown
  topics: readonly Topic[]
  since: number
}

/** The bound of the memo in bytes. */
const limit = 16 * 2 ** 20

export function createReadMemo(changes: Changes): ReadMemo {
  const values = createWeightedMap<Remembered>(limit)
  return {
    changes,
    remember<Value>(key: string, read: () => Promise<Value>, kept: Kept<NonNullable<Value>>) {
      const known = values.get(key)
      if (known && changes.areUnchanged(known.topics, known.since)) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key always belongs to one `read`
        return known.value as Value
      }
      return readAndKeep(key, read, kept)
    },
  }

  async function readAndKeep<Value>(key: string, read: () => Promise<Value>, kept: Kept<NonNullable<Value>>) {
    const since = changes.now()
    const value = await read()
    // A change during the read may or may not be in the value; it is later than `since`, so the value does not last.
    if (value === undefined || value === null) values.delete(key)
    else values.set(key, { value, topics: kept.topics(value), since }, kept.weigh?.(value) ?? 0)
    return value
  }
}

/** A memo that keeps nothing, for databases with other writers. */
export const forgetfulMemo: ReadMemo = { remember: (_key, read) => read(), changes: undefined }
