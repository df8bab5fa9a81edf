import { CrashesError, type FrameOwner, type PreparedCrash } from '@fairlead/crashes'
import type { PreparedDelivery, ReadSettings } from '@fairlead/crashes'
import { requireAt } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { toDay } from '../crash-releases/clock.ts'
import type { CrashesOwner } from '../crash-stacks/application-store.ts'
import { findSymbols } from '../crash-stacks/find-symbols.ts'
import { toInstallSecret } from '../crash-groups/install-secret.ts'
import type { NewStack } from '../crash-stacks/new-stack.ts'
import { createOverflowStack } from './overflow-stack.ts'
import { resolveStacks } from '../crash-stacks/resolve-stacks.ts'
import { countStacksSince, findStackHeads } from '../crash-stacks/stacks-store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** The most stacks of one application and day; further ones share one. */
const maxStacksPerDay = 10_000
const dayMs = 24 * 60 * 60 * 1000

/** A delivery and its row; `delivery` is undefined when it could not be read. */
export interface ReadRow {
  row: Row<'crash_inbox'>
  delivery: PreparedDelivery | undefined
}

export interface ReadBatch {
  rows: ReadRow[]
  /** The stacks that were not in the database, by hash. */
  newStacks: Map<string, NewStack>
  /** The hashes of stacks that are counted with the shared one. */
  overflowing: Set<string>
  /** The hashes of stacks that cost too much to read. */
  tooCostly: Set<string>
}

/** Reads deliveries of one application and resolves the stacks that are new. Nothing is stored yet. */
export async function readBatch(
  context: Pick<AppContext, 'db' | 'blobs' | 'readers' | 'signingKey' | 'log'>,
  application: CrashesOwner,
  owner: FrameOwner,
  inbox: readonly Row<'crash_inbox'>[],
): Promise<ReadBatch> {
  const settings = {
    installSecret: toInstallSecret(context, application.id),
    keepsCustomData: application.keepsCustomData,
  }
  const rows = await readRows(context, inbox, settings)
  const stacks = new Map<string, PreparedCrash['stack']>()
  for (const { delivery } of rows) for (const { stack } of delivery?.crashes ?? []) stacks.set(stack.hash, stack)
  const known = await findStackHeads(context.db, application.id, [...stacks.keys()])
  const unknown = [...stacks.values()].filter(({ hash }) => !known.has(hash))
  const batch: ReadBatch = { rows, newStacks: new Map(), overflowing: new Set(), tooCostly: new Set() }
  if (unknown.length === 0) return batch
  const count = await countStacksSince(context.db, application.id, toDay(Date.now()) * dayMs)
  const admitted = unknown.slice(0, Math.max(0, maxStacksPerDay - count))
  for (const { hash } of unknown.slice(admitted.length)) batch.overflowing.add(hash)
  const found = await findSymbols(
    context.db,
    application,
    admitted.map(({ needs }) => needs),
  )
  const withSymbols = admitted.map((stack, place) => ({ ...stack, found: requireAt(found, place) }))
  const resolved = await resolveStacks(context, withSymbols, owner)
  for (const [place, { hash, needs, found }] of withSymbols.entries()) {
    const packed = resolved[place]
    if (packed) batch.newStacks.set(hash, { found, packed, needs })
    else batch.tooCostly.add(hash)
  }
  if (batch.overflowing.size > 0) {
    const shared = createOverflowStack()
    batch.newStacks.set(shared.hash, shared.stack)
  }
  return batch
}

/** The delivery is undefined if it cannot be read after all: its process ran out of time or memory. */
async function readRows(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  rows: readonly Row<'crash_inbox'>[],
  settings: ReadSettings,
): Promise<ReadRow[]> {
  const deliveries = rows.map((row) => ({
    body: row.body,
    encoding: row.encoding,
    protocol: row.protocol,
    options: parseJsonText(row.options),
  }))
  const read = await readers.deliveries.read(deliveries, settings)
  return rows.map((row, place) => {
    const delivery = read[place]
    if (!(delivery instanceof CrashesError)) return { row, delivery }
    log.warn({ delivery: row.id, cause: delivery.message }, 'a crash delivery could not be read')
    return { row, delivery: undefined }
  })
}
