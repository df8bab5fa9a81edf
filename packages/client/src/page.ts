import { type CallOptions, type Connection, type Query, readJson } from './connection.ts'

/** Selects a part of a list: at most `limit` (1 to 200) items after the place that `cursor` names. */
export type Paging = {
  limit: number
  cursor?: string | undefined
}

/** A part of a list, newest first. */
export interface Page<Item> {
  items: Item[]
  total: number
  /** The cursor of the next part; null if this is the last one. */
  nextCursor: string | null
}

/** Reads one page of a list: the items from the body, the total and the next cursor from the headers. */
export async function requestPage<Item>(
  connection: Connection,
  path: string,
  query: Query & Paging,
  options?: CallOptions,
): Promise<Page<Item>> {
  const response = await connection.open('GET', path, { query, ...options })
  const items = await readJson<Item[]>(response)
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
