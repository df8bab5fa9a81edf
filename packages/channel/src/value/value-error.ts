/** A value that cannot be sent, or does not have the expected type, with its path. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  #path: string

  constructor(path: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.#path = path
  }

  get path(): string {
    return this.#path
  }

  /** Prepends a key to the path. Paths are built only after an error, so that valid values cost nothing. */
  placeIn(key: PropertyKey): void {
    const inner = this.#path
    const outer = joinPath('', key)
    this.#path = inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`
  }
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Joins `user`, `tags` and 2 to `user.tags[2]`. Keys that are not identifiers are quoted. */
export function joinPath(parent: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${parent}[${key}]`
  const name = String(key)
  if (!identifier.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

/** Limit for nesting, in both directions. */
export const maxDepth = 1000

/** Limit for values inside one value. It stops values that share parts so often that writing them would not end. */
export const maxNodes = 20_000_000
