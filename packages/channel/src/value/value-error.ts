/** A value that cannot be carried, or is not what was expected, with the place where. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  readonly path: string

  constructor(path: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.path = path
  }
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** `user` + `tags` + 2 → `user.tags[2]`; keys that are no identifiers are quoted. */
export function joinPath(parent: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${parent}[${key}]`
  const name = String(key)
  if (!identifier.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

/** Deeper values are refused, in both directions. */
export const maxDepth = 1000

/** Values inside one value: stops what shares its parts so often that it would never end. */
export const maxNodes = 20_000_000
