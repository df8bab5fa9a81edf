import { notFound } from '@tanstack/react-router'

/** Parses an id in a path: a positive integer, as all ids of the API. Anything else is a page that does not exist. */
export function readPathId<Name extends string>(name: Name) {
  return {
    parse: (params: Record<Name, string>) => {
      const text = params[name]
      if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript widens a computed key to a string
      return { [name]: Number(text) } as Record<Name, number>
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript widens a computed key to a string
    stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
  }
}

/** Shows that there is no such page if what a path names belongs to another application than the path says. */
export function requireSame(applicationId: number, named: number): void {
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to say so is not an error
  if (applicationId !== named) throw notFound()
}
