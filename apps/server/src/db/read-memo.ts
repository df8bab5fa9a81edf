/**
 * Remembers the results of reads until the next write. This is exact for the embedded database, because all writes pass
 * one connection of this process. Over PostgreSQL other replicas write too, so nothing is remembered. See decision 002.
 */
export interface ReadMemo {
  /**
   * Returns the remembered value for the key, or the result of `read`. Callers must not change the value. `weigh`
   * estimates the bytes of large values.
   */
  remember<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number): Promise<Value> | Value
  /** Returns the value that is remembered for the key. */
  find(key: string): unknown
  /** Remembers a value of `weight` bytes that was read since `countWrites` returned `since`, unless writes followed. */
  keep(key: string, value: unknown, { weight, since }: { weight: number; since: number }): void
  countWrites(): number
}

/** The bound of the memo in bytes. Values over a sixteenth of it are not kept, because they would displace too much. */
const limit = 32 * 2 ** 20
const valueLimit = limit / 16
/** The assumed size of a small value, in bytes. */
const usualWeight = 4096

/** @param countWrites returns the number of writes so far; any change clears the memo */
export function createReadMemo(countWrites: () => number): ReadMemo {
  const values = new Map<string, unknown>()
  let weight = 0
  let writes = countWrites()

  return {
    remember<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number) {
      const known = find(key)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key always belongs to one `read`
      return known === undefined ? readAndKeep(key, read, weigh) : (known as Value)
    },
    find,
    keep(key, value, { weight: ownWeight, since }) {
      if (countWrites() === since && since === writes) keep(key, value, ownWeight)
    },
    countWrites,
  }

  function find(key: string): unknown {
    const now = countWrites()
    if (now !== writes) {
      forget()
      writes = now
    }
    return values.get(key)
  }

  async function readAndKeep<Value>(key: string, read: () => Promise<Value>, weigh?: (value: Value) => number) {
    const before = countWrites()
    const value = await read()
    // The read may or may not include a write that ran concurrently, so its result is not kept.
    if (value !== undefined && countWrites() === before && before === writes) keep(key, value, weigh?.(value) ?? 0)
    return value
  }

  function keep(key: string, value: unknown, ownWeight: number): void {
    if (ownWeight > valueLimit) return
    // A key may contain the caller's search text, so it counts too, with two bytes for each UTF-16 code unit.
    const added = usualWeight + ownWeight + key.length * 2
    if (weight + added > limit) forget()
    values.set(key, value)
    weight += added
  }

  function forget(): void {
    values.clear()
    weight = 0
  }
}

/** A memo that keeps nothing, for databases with other writers. */
export const forgetfulMemo: ReadMemo = {
  remember: (_key, read) => read(),
  find: () => undefined,
  keep: () => {},
  countWrites: () => 0,
}
