import type { Page } from '@fairlead/contract'

/** A page of a list, newest first. Without a limit it holds the whole list. */
export interface Paged<Item> {
  items: Item[]
  /** Present when a limit was given. */
  total?: number
  /** The cursor of the next page; undefined on the last one. */
  nextCursor?: string | undefined
}

/** Cuts rows to a page. The caller selects one row more than the limit, which shows whether another page follows. */
export function toPage<Item extends { id: number }>(rows: Item[], page: Page, total: number | undefined): Paged<Item> {
  if (page.limit === undefined || total === undefined) return { items: rows }
  const items = rows.slice(0, page.limit)
  const nextCursor = rows.length > page.limit ? String(items.at(-1)?.id) : undefined
  return { items, total, nextCursor }
}
