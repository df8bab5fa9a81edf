import type { Page } from '@fairlead/contract'
import { sql } from 'kysely'

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

/** The most items of a list without a limit. A longer list is cut, with a total and a next cursor as a page has. */
export const maxUnpaged = 10_000

/** The selection of a query that counts its rows. */
export const countAll = sql<number>`count(*)`.as('count')

interface LongPage<Row> {
  rows: Row[]
  limit: number | undefined
  toCursor: (row: Row) => string
  /** Counts all rows of the list by `countAll`. The query runs only if the answer states the total. */
  count: { executeTakeFirstOrThrow(): Promise<{ count: number }> }
}

/** Cuts rows of a list of any length. One row more than `limit`, or than `maxUnpaged`, must be read. */
export async function cutRows<Row>({ rows, limit, toCursor, count }: LongPage<Row>): Promise<Paged<Row>> {
  const size = limit ?? maxUnpaged
  const items = rows.slice(0, size)
  if (limit === undefined && rows.length <= size) return { items }
  const last = items.at(-1)
  const nextCursor = rows.length > size && last !== undefined ? toCursor(last) : undefined
  const { count: total } = await count.executeTakeFirstOrThrow()
  return { items, total, nextCursor }
}
