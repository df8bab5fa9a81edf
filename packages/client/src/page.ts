import type { CallOptions, Connection, Query } from './connection.ts'

/** Which part of a list: at most `limit` (1 to 200) items after the place that `cursor` names. */
export type Paging = {
  limit: number
  cursor?: string | undefined
}

/** A part of a list, newest first. */
export interface Page<Item> {
  items: Item[]
  total: number
  /** Asks for the next part; null when this was the last. */
  nextCursor: string | null
}

/** Reads a list by pages: the bare array of the body, and what the headers say of the rest. */
export async function requestPage<Item>(
  connection: Connection,
  path: string,
  query: Query & Paging,
  options?: CallOptions,
): Promise<Page<Item>> {
  const response = await connection.open('GET', path, { query, ...options })
  // The types come from the schemas that the server's own tests hold its answers to.
  const items = (await response.json()) as Item[]
  return {
    items,
    total: Number(response.headers.get('X-Total-Count') ?? items.length),
    nextCursor: readNextCursor(response.headers.get('Link')),
  }
}

function readNextCursor(link: string | null): string | null {
  const target = link === null ? undefined : /<([^>]*)>\s*;\s*rel="next"/.exec(link)?.[1]
  return target === undefined ? null : new URL(target, 'http://relative').searchParams.get('cursor')
}
