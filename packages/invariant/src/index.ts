/** Throws if something is not as the code around promises, which is a bug of ours and never a fault of the input. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${what}`)
}

/** Returns an item of a list that must have one at the index. */
export function requireAt<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`Broken promise: no item ${index} in a list of ${list.length}`)
  return item
}

/**
 * Throws for an index that the code around promises to be inside of its list: `list[index] ?? outOfRange()`. In hot
 * loops it is faster than `requireAt`, because V8 specializes each read for the kind of list at its place in the code.
 */
export function outOfRange(): never {
  throw new RangeError('Broken promise: an index is outside of its list')
}
