import type { AuditEvent, ListAuditEvents } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { toInstant } from '../http/instant.ts'
import { type AuditRow, countAuditEvents, listAuditRows } from './store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** Without a limit, the whole audit log is read and sent in slices of this many rows. */
const sliceSize = 500

export async function listAuditEvents(
  db: Db,
  workspaceId: number,
  { action, ...page }: ListAuditEvents & { limit: number },
): Promise<Paged<AuditEvent>> {
  const rows = await listAuditRows(db, workspaceId, { action, below: page.cursor, limit: page.limit + 1 })
  return toPage(rows.map(toAuditEvent), page, await countAuditEvents(db, workspaceId, action))
}

/** Iterates over the audit log of a workspace slice by slice, newest first. */
export async function* iterateAuditEvents(
  db: Db,
  workspaceId: number,
  { action, cursor }: ListAuditEvents,
): AsyncGenerator<AuditEvent[]> {
  let below = cursor
  for (;;) {
    const rows = await listAuditRows(db, workspaceId, { action, below, limit: sliceSize })
    yield rows.map(toAuditEvent)
    if (rows.length < sliceSize) return
    below = rows.at(-1)?.id
  }
}

function toAuditEvent(row: AuditRow): AuditEvent {
  return {
    id: row.id,
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    target: row.target,
    details: parseJsonText(row.details),
    createdDate: toInstant(row.created_at),
  }
}
