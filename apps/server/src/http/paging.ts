import { ApiError, type Page } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Paged } from '../db/paging.ts'

/** Pages a list that is in memory. Its order need not follow the ids, so the cursor is located by search. */
export function cutPage<Item>(rows: Item[], page: Page, toId: (item: Item) => number): Paged<Item> {
  const { cursor } = page
  const last = rows.findIndex((row) => toId(row) === cursor)
  if (cursor !== undefined && last === -1) {
    throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is none that this list gave' }] })
  }
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
    reply.header('link', `<${toNextUrl(baseUrl + request.url, page.nextCursor)}>; rel="next"`)
  }
}

/** Letters and marks that no URL escapes, as in nearly all queries. */
const plainQuery = /^[\w.~&=-]*$/

/** Replaces the cursor of a query. Parsing the whole URL takes longer than reading a page from memory. */
function toNextUrl(url: string, cursor: string): string {
  const start = url.indexOf('?')
  const query = start === -1 ? '' : url.slice(start + 1)
  if (!plainQuery.test(query)) {
    const next = new URL(url)
    next.searchParams.set('cursor', cursor)
    return next.href
  }
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith('cursor='))
  return `${start === -1 ? url : url.slice(0, start)}?${[...others, `cursor=${cursor}`].join('&')}`
}
