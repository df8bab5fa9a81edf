/**
 * Server-sent events as the WHATWG's HTML standard defines them (`text/event-stream`). A `change` has a `ChangeEvent`
 * as its data; a `refresh` says that changes may have been missed. The id comes with the last event of a batch, because
 * a client that got only a part of a batch has to get all of it again.
 */
import type { ChangeEvent } from '@fairlead/contract'

/** How soon a browser's EventSource connects again, in milliseconds. */
const retryMs = 2000

export function writeChanges(events: readonly ChangeEvent[], id: string): Buffer {
  const texts = events.map((event) => `event: change\ndata: ${JSON.stringify(event)}\n`)
  return Buffer.from(`${texts.join('\n')}id: ${id}\n\n`)
}

export function writeRefresh(id: string): Buffer {
  return Buffer.from(`event: refresh\ndata: {}\nid: ${id}\n\n`)
}

/** Without data this is no event, and the client remembers the id. */
export function writeStart(id: string): Buffer {
  return Buffer.from(`: Fairlead\nretry: ${retryMs}\nid: ${id}\n\n`)
}

/** Keeps proxies from closing a silent connection, and the id of a quiet workspace from growing old. */
export function writeHeartbeat(id: string): Buffer {
  return Buffer.from(`:\nid: ${id}\n\n`)
}
