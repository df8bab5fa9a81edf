import type { HookInclude } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { toLinks } from './event-links.ts'

/** The most bytes of a body. */
const maxBodyBytes = 20_000
const textLimit = 1000

type EventRow = Pick<Row<'hook_events'>, 'type' | 'workspace_id' | 'event' | 'created_at'>

/** Returns what a hook is told of an event: people, words and install links only if it includes them. */
export function toPayload(row: EventRow, includes: readonly HookInclude[], baseUrl: string) {
  const event = parseJsonText(row.event)
  const { install, ...links } = toLinks(row.type, event, baseUrl)
  return {
    type: row.type,
    timestamp: toInstant(row.created_at),
    workspaceId: row.workspace_id,
    data: {
      applicationId: event.applicationId,
      applicationAlias: event.applicationAlias,
      links: { ...links, ...(includes.includes('installLinks') && install !== undefined && { install }) },
      ...event.data,
      ...(includes.includes('texts') && event.texts),
      ...(includes.includes('people') && event.people),
    },
  }
}

export type Payload = ReturnType<typeof toPayload>

/** Returns the body of the standard form. Texts and lists are cut until it is short enough. */
export function toStandardBody(payload: Payload): string {
  let body = ''
  for (const limits of [
    { text: textLimit, items: 50 },
    { text: 200, items: 20 },
    { text: 60, items: 10 },
  ]) {
    body = JSON.stringify(cut(payload, limits))
    if (Buffer.byteLength(body) <= maxBodyBytes) return body
  }
  return body
}

/** Cuts texts and lists. Links are whole or of no use, and the server makes them itself. */
function cut(value: unknown, limits: { text: number; items: number }): unknown {
  if (typeof value === 'string') return cutText(value, limits.text)
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item: unknown) => cut(item, limits))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(
    fields.map(([name, field]: [string, unknown]) => [name, name === 'links' ? field : cut(field, limits)]),
  )
}

/** Cuts a text, but never between the halves of a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed() === text.slice(0, length)
    ? text.slice(0, length)
    : text.slice(0, length - 1).toWellFormed()
}
