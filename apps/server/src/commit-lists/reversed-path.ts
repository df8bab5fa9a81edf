/**
 * Turns the names of a path around and ends each with a slash: `org/x/Gate.kt` becomes `Gate.kt/x/org/`. All paths that
 * end alike then begin alike, which an index can search.
 */
export function toReversedPath(path: string): string {
  return splitPath(path)
    .toReversed()
    .map((name) => `${name}/`)
    .join('')
}

/** The names of a path, without those that lead nowhere. */
export function splitPath(path: string): string[] {
  return path.split(/[\\/]+/).filter((name) => name !== '' && name !== '.')
}
