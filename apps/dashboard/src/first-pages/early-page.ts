/** A page of the dashboard that `start.ts` requests the data of. */
export interface EarlyPage {
  /** Matches the path; its groups are ids. */
  path: RegExp
  /** Sends the page's requests and shows the first look. A missing id is 0, which names nothing. */
  show: (ids: { first: number; second: number }, search: Record<string, unknown>) => Promise<void>
  /** Loads the script of the page, which the router would begin to load only after all scripts of the app. */
  load?: () => Promise<unknown>
}

const id = '/([1-9]\\d{0,14})'

/** Makes the pattern of a path such as `/applications/#/crashes/#`, where a `#` stands for an id. */
export function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('/#', id)}/?$`)
}
