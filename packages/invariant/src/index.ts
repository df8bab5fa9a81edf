/** Throws if something is not as the code around promises, which is a bug of ours and never a fault of the input. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${what}`)
}

/** Returns an item of a list that must have one at the index. */
export function requireAt<Item>(list: ArrayLike<Item>, index: number): Exclude<Item, undefined> {
  const item = list[index]
  if (!isDefined(item)) throw new RangeError(`Broken promise: no item ${index} in a list of ${list.length}`)
  return item
}

/** Returns the value of a key that a map must have. */
export function requireKey<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Exclude<Value, undefined> {
  const value = map.get(key)
  if (!isDefined(value)) throw new RangeError(`Broken promise: no key ${String(key)} in a map of ${map.size}`)
  return value
}

/**
 * Throws for an index that the code around promises to be inside of its list: `list[index] ?? outOfRange()`. In hot
 * loops it is faster than `requireAt`, because V8 specializes each read for the kind of list at its place in the code.
 */
export function outOfRange(): never {
  throw new RangeError('Broken promise: an index is outside of its list')
}

function isDefined<Value>(value: Value | undefined): value is Exclude<Value, undefined> {
  return value !== undefined
}
