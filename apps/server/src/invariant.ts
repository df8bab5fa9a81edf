/**
 * What must be true unless the program has a bug, said to readers and to the type checker. A default value such as `0`
 * would hide the bug; these functions throw.
 */
export function invariant(condition: unknown, what: string): asserts condition {
  if (condition === false || condition === undefined || condition === null) throw new Error(`Broken invariant: ${what}`)
}

/** Returns the item at an index that the caller knows to be in the list. */
export function requireAt<Item>(list: readonly Item[], index: number): Exclude<Item, undefined> {
  const item = list[index]
  if (!isDefined(item)) throw new Error(`Broken invariant: a list of ${list.length} has an item at ${index}`)
  return item
}

/** Returns the value of a key that the caller knows to be in the map. */
export function requireKey<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Exclude<Value, undefined> {
  const value = map.get(key)
  if (!isDefined(value)) throw new Error(`Broken invariant: a map has the key ${String(key)}`)
  return value
}

function isDefined<Value>(value: Value | undefined): value is Exclude<Value, undefined> {
  return value !== undefined
}
