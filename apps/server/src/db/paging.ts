import type { Page } from '@fairlead/contract'

/** A part of a list, newest first. Without a limit it is the whole. */
export interface Paged<Item> {
  items: Item[]
  /** Present when a limit was given. */
  total?: number
  /** Where the next part begins; undefined when there is none. */
  nextCursor?: string | undefined
}

/** Cuts rows, read with one more than the limit, to a page. */
export function toPage<Item extends { id: number }>(rows: Item[], page: Page, total: number | undefined): Paged<Item> {
  if (page.limit === undefined || total === undefined) return { items: rows }
  const items = rows.slice(0, page.limit)
  const nextCursor = rows.length > page.limit ? String(items.at(-1)?.id) : undefined
  return { items, total, nextCursor }
}
