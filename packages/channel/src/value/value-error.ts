/** A value that cannot be carried, or is not what was expected, with the place where. */
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

  /** Says where the value lies in the one around it: a reader makes no paths as long as all is well. */
  placeIn(key: PropertyKey): void {
    const inner = this.#path
    const outer = joinPath('', key)
    this.#path = inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`
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
