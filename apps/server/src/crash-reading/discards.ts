import type { DiscardedGroup } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { findDiscarded } from '../crash-groups/discards-store.ts'
import type { NewCrash } from './list-new-crashes.ts'
import type { ReadBatch } from './read-batch.ts'

/** Leaves out crashes of groups that somebody discarded, and counts them as dropped. */
export async function dropDiscarded(
  trx: Db,
  applicationId: number,
  batch: ReadBatch,
  crashes: readonly NewCrash[],
  drop: (reason: string) => void,
): Promise<NewCrash[]> {
  const keyOf = ({ crash }: NewCrash) => batch.newStacks.get(crash.stack.hash)?.packed.keyHash
  const keys = new Set(crashes.map(keyOf).filter((key) => key !== undefined))
  if (keys.size === 0) return [...crashes]
  const discarded = await findDiscarded(trx, applicationId, [...keys])
  return crashes.filter((crash) => {
    const isDiscarded = discarded.has(keyOf(crash) ?? '')
    if (isDiscarded) drop('discarded')
    return !isDiscarded
  })
}

export function toDiscardedGroup(row: Row<'crash_discards'>): DiscardedGroup {
  return { key: row.key_hash, title: row.title, discardedDate: toInstant(row.discarded_at) }
}
