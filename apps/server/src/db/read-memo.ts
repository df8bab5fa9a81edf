/**
 * What reads gave, remembered until anything is written. The embedded database belongs to this process alone and all
 * its writes pass one connection, so nothing remembered can be out of date; over PostgreSQL, where other replicas
 * write, nothing is remembered.
 */
export interface ReadMemo {
  /**
   * The value for the key, or what `read` gives; whoever gets it must not change it. `weigh` tells about how many bytes
   * a value takes, where that is much.
   */
  remember<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number): Promise<Value> | Value
}

/** In bytes. What is heavier than a sixteenth of the whole would push out too much else. */
const limit = 32 * 2 ** 20
const valueLimit = limit / 16
/** A row or two. */
const usualWeight = 4096

/** @param countWrites how many writes the database has seen: when the number moves, everything is forgotten */
export function createReadMemo(countWrites: () => number): ReadMemo {
  const values = new Map<string, unknown>()
  let weight = 0
  let writes = countWrites()

  return {
    remember<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number) {
      const now = countWrites()
      if (now !== writes) {
        forget()
        writes = now
      }
      const known = values.get(key)
      // Only what a `read` for this key gave is kept under it.
      return known === undefined ? readAndKeep(key, read, weigh) : (known as Value)
    },
  }

  async function readAndKeep<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number) {
    const before = countWrites()
    const value = await read()
    // A write that came in between may or may not be in what was read.
    if (value !== undefined && countWrites() === before && before === writes) keep(key, value, weigh?.(value) ?? 0)
    return value
  }

  function keep(key: string, value: unknown, ownWeight: number): void {
    if (ownWeight > valueLimit) return
    if (weight > limit) forget()
    values.set(key, value)
    weight += usualWeight + ownWeight
  }

  function forget(): void {
    values.clear()
    weight = 0
  }
}

/** For databases that others write to. */
export const forgetfulMemo: ReadMemo = { remember: (_key, read) => read() }
