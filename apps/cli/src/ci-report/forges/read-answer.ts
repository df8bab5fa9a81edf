/** The objects of an answer that is a list, or that has one in a field. */
export function listObjects(answer: unknown, field?: string): unknown[] {
  const list = field === undefined ? answer : readField(answer, field)
  return Array.isArray(list) ? list : []
}

/** A field of an object of an answer; undefined if it is no object or has no such field. */
export function readField(value: unknown, ...names: string[]): unknown {
  let found = value
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Object.entries(found).find(([key]) => key === name)?.[1]
  }
  return found
}

/** A field as text; numbers, which ids often are, become text. */
export function readText(value: unknown, ...names: string[]): string {
  const found = readField(value, ...names)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
