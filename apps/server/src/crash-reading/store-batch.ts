/** Stores what was read from deliveries, and deletes their rows, in one transaction. */
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { countForAlerts } from '../alerts/count-for-alerts.ts'
import { addDrops, deleteDeliveries } from './inbox-store.ts'
import type { SymbolsOwner } from '../crash-stacks/find-symbols.ts'
import { listNewCrashes, type ReleaseFinder } from './list-new-crashes.ts'
import { dropDiscarded } from './discards.ts'
import type { ReadBatch } from './read-batch.ts'
import { requireRelease } from '../crash-releases/releases-store.ts'
import { lockApplication } from '../crash-stacks/stacks-store.ts'
import { storeSession } from './store-sessions.ts'
import { storeStacks } from './store-stacks.ts'

export async function storeBatch(
  trx: Db,
  engine: Engine,
  application: SymbolsOwner & { workspaceId: number },
  batch: ReadBatch,
): Promise<void> {
  const now = Date.now()
  const { id: applicationId } = application
  await lockApplication(trx, engine, applicationId)
  // Another process may have stored some of these, if it took this process for dead.
  const left = await deleteDeliveries(
    trx,
    batch.rows.map(({ row }) => row.id),
  )
  const rows = batch.rows.filter(({ row }) => left.has(row.id))
  const releases = new Map<string, Row<'releases'>>()
  const findRelease: ReleaseFinder = async (name) => {
    const key = JSON.stringify([name.package, name.shortVersion, name.version, name.environment])
    const release = releases.get(key) ?? (await requireRelease(trx, applicationId, name, now))
    releases.set(key, release)
    return release
  }
  const drops = new Map<string, number>()
  const drop = (reason: string, count = 1) => drops.set(reason, (drops.get(reason) ?? 0) + count)
  const crashes = await listNewCrashes(trx, applicationId, rows, findRelease, drop)
  const readable = crashes.filter(({ crash }) => {
    const isReadable = !batch.tooCostly.has(crash.stack.hash)
    if (!isReadable) drop('unreadable')
    return isReadable
  })
  const kept = await dropDiscarded(trx, applicationId, batch, readable, drop)
  await storeStacks(trx, application, batch, kept, drop)
  const counted = { crashes: kept.length, started_sessions: 0, crashed_sessions: 0 }
  for (const { row, delivery } of rows) {
    if (!delivery) drop('unreadable')
    for (const type of delivery?.dropped ?? []) drop(type)
    for (const [reason, count] of Object.entries(delivery?.lost ?? {})) drop(`client: ${reason}`, count)
    const clock = { sentAt: delivery?.sentAt ?? null, receivedAt: row.received_at }
    for (const session of delivery?.sessions ?? []) {
      const { startedCount, crashedCount } = await storeSession(trx, applicationId, session, clock, findRelease)
      counted.started_sessions += startedCount
      counted.crashed_sessions += crashedCount
    }
  }
  await countForAlerts(trx, applicationId, counted)
  await addDrops(trx, applicationId, drops)
}
