import type { Page } from '@fairlead/contract'
import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page of a list, newest first. Without a limit it holds the whole list. */
export interface Paged<Item> {
  items: Item[]
  /** Present when a limit was given. */
  total?: number
  /** The cursor of the next page; undefined on the last one. */
  nextCursor?: string | undefined
}

/** Decodes a keyset cursor, which is the id of the last item of the previous page. */
export function readCursor(page: Page): number | undefined {
  if (page.cursor === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(page.cursor)) throw refuseCursor()
  return Number(page.cursor)
}

function refuseCursor(): ApiError {
  return new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is not a cursor of this list' }] })
}

/** Cuts rows to a page. The caller selects one row more than the limit, which shows whether another page follows. */
export function toPage<Item extends { id: number }>(rows: Item[], page: Page, total: number | undefined): Paged<Item> {
  if (page.limit === undefined || total === undefined) return { items: rows }
  const items = rows.slice(0, page.limit)
  const nextCursor = rows.length > page.limit ? String(items.at(-1)?.id) : undefined
  return { items, total, nextCursor }
}

/** Pages a list that is in memory. Its order need not follow the ids, so the cursor is located by search. */
export function cutPage<Item>(rows: Item[], page: Page, toId: (item: Item) => number): Paged<Item> {
  const cursor = readCursor(page)
  const last = rows.findIndex((row) => toId(row) === cursor)
  if (cursor !== undefined && last === -1) throw refuseCursor()
  const rest = rows.slice(last + 1)
  if (page.limit === undefined) return { items: rest }
  const items = rest.slice(0, page.limit)
  const end = items.at(-1)
  const nextCursor = end !== undefined && rest.length > items.length ? String(toId(end)) : undefined
  return { items, total: rows.length, nextCursor }
}

/** Sends the total count and the link to the next page as headers, because the body is a bare array. */
export function sendPage<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  page: Paged<Item>,
): Item[] {
  announcePage(request, reply, baseUrl, page)
  return page.items
}

export function announcePage(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  page: Omit<Paged<unknown>, 'items'>,
): void {
  if (page.total !== undefined) reply.header('x-total-count', page.total)
  if (page.nextCursor !== undefined) {
    const next = new URL(baseUrl + request.url)
    next.searchParams.set('cursor', page.nextCursor)
    reply.header('link', `<${next.href}>; rel="next"`)
  }
}
