/**
 * What reads gave, remembered until anything is written. The embedded database belongs to this process alone and all
 * its writes pass one connection, so nothing remembered can be out of date; over PostgreSQL, where other replicas
 * write, nothing is remembered.
 */
export interface ReadMemo {
  /** The value for the key, or what `read` gives. */
  remember<Value>(key: string, read: () => Promise<Value>): Promise<Value> | Value
}

const sizeLimit = 5000

/** @param countWrites how many writes the database has seen: when the number moves, everything is forgotten */
export function createReadMemo(countWrites: () => number): ReadMemo {
  const values = new Map<string, unknown>()
  let writes = countWrites()

  return {
    remember<Value>(key: string, read: () => Promise<Value>) {
      const now = countWrites()
      if (now !== writes) {
        values.clear()
        writes = now
      }
      const known = values.get(key)
      // Only what a `read` for this key gave is kept under it.
      return known === undefined ? readAndKeep(key, read) : (known as Value)
    },
  }

  async function readAndKeep<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const before = countWrites()
    const value = await read()
    // A write that came in between may or may not be in what was read.
    if (value !== undefined && countWrites() === before && before === writes) {
      if (values.size >= sizeLimit) values.clear()
      values.set(key, value)
    }
    return value
  }
}

/** For databases that others write to. */
export const forgetfulMemo: ReadMemo = { remember: (_key, read) => read() }
