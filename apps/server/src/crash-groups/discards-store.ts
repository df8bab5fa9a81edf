import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** Tells which of these keys were discarded. */
export async function findDiscarded(db: Db, applicationId: number, keyHashes: string[]): Promise<Set<string>> {
  const rows = await selectInBatches(keyHashes, (batch) =>
    db
      .selectFrom('crash_discards')
      .select('key_hash')
      .where('application_id', '=', applicationId)
      .where('key_hash', 'in', batch)
      .execute(),
  )
  return new Set(rows.map((row) => row.key_hash))
}

/** Discards all keys of a group, also those of its stacks, which may have come by hand. */
export async function insertDiscards(trx: Db, group: Row<'crash_groups'>, now: number): Promise<void> {
  const keys = await trx
    .selectFrom('crash_group_keys')
    .select('key_hash')
    .where('group_id', '=', group.id)
    .union(trx.selectFrom('crash_stacks').select('key_hash').where('group_id', '=', group.id))
    .execute()
  for (const { key_hash: keyHash } of keys) {
    await trx
      .insertInto('crash_discards')
      .values({ application_id: group.application_id, key_hash: keyHash, title: group.title, discarded_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function listDiscards(db: Db, applicationId: number): Promise<Row<'crash_discards'>[]> {
  return db
    .selectFrom('crash_discards')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('discarded_at', 'desc')
    .orderBy('key_hash')
    .execute()
}

/** Returns whether there was such a key. */
export async function deleteDiscard(db: Db, applicationId: number, keyHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('crash_discards')
    .where('application_id', '=', applicationId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
