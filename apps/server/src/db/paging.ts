import type { Page } from '@fairlead/contract'

/** One page of a list, newest first, or the whole list if no limit was given. */
export interface Paged<Item> {
  items: Item[]
  /** Present when a limit was given. */
  total?: number
  /** The cursor of the next page; undefined on the last page. */
  nextCursor?: string | undefined
}

/** Cuts rows to a page. One row more than the limit must be read, to know whether there is a next page. */
export function toPage<Item extends { id: number }>(rows: Item[], page: Page, total: number | undefined): Paged<Item> {
  if (page.limit === undefined || total === undefined) return { items: rows }
  const items = rows.slice(0, page.limit)
  const nextCursor = rows.length > page.limit ? String(items.at(-1)?.id) : undefined
  return { items, total, nextCursor }
}
