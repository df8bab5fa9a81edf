/** Sends whole lists as CSV or as JSON lines, page by page, to a client that asks for one of them. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Paged } from '../db/paging.ts'

export type ExportFormat = 'csv' | 'jsonLines'

const pageSize = 200

/** The format that a request's `Accept` names; undefined for the usual JSON. */
export function findExportFormat({ headers }: Pick<FastifyRequest, 'headers'>): ExportFormat | undefined {
  const accept = headers.accept ?? ''
  if (/\btext\/csv\b/i.test(accept)) return 'csv'
  return /\bapplication\/x-ndjson\b/i.test(accept) ? 'jsonLines' : undefined
}

/** @param readPage reads the page after a cursor, or the first one without it */
export function sendExport<Item extends object>(
  reply: Pick<FastifyReply, 'type' | 'header'> & { send: (body: never) => unknown },
  format: ExportFormat,
  name: string,
  readPage: (page: { limit: number; cursor?: number | undefined }) => Promise<Paged<Item>>,
): void {
  reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
  const extension = format === 'csv' ? 'csv' : 'jsonl'
  reply.header('content-disposition', `attachment; filename="${name}.${extension}"`)
  const body = Readable.from(format === 'csv' ? toCsv(readPages(readPage)) : toLines(readPages(readPage)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the route's type describes its JSON answer only
  reply.send(body as never)
}

async function* readPages<Item>(
  readPage: (page: { limit: number; cursor?: number | undefined }) => Promise<Paged<Item>>,
): AsyncGenerator<Item[]> {
  let cursor: number | undefined
  do {
    const { items, nextCursor } = await readPage({ limit: pageSize, cursor })
    yield items
    cursor = nextCursor === undefined ? undefined : Number(nextCursor)
  } while (cursor !== undefined)
}

async function* toLines<Item>(pages: AsyncIterable<Item[]>): AsyncGenerator<string> {
  for await (const items of pages) yield items.map((item) => `${JSON.stringify(item)}\n`).join('')
}

async function* toCsv<Item extends object>(pages: AsyncIterable<Item[]>): AsyncGenerator<string> {
  let names: string[] | undefined
  for await (const items of pages) {
    const [first] = items
    if (!names && first) {
      names = Object.keys(first)
      yield `${names.join(',')}\r\n`
    }
    const ofPage = names ?? []
    const toRow = (item: Item) => {
      const values = new Map<string, unknown>(Object.entries(item))
      return `${ofPage.map((name) => toCell(values.get(name))).join(',')}\r\n`
    }
    yield items.map(toRow).join('')
  }
}

/** Quotes a value (RFC 4180). A spreadsheet would run text that begins with a sign as a formula. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  const safe = isText && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
