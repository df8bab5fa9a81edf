import { sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'

/** The values are written into the SQL, because the planner does not use a partial index for a parameter. */
export const isLasting = sql<SqlBool>`crashes.is_lasting = 1`
export const isNotLasting = sql<SqlBool>`crashes.is_lasting = 0`

/** Lets the daily deletion choose again which crash of a group stays, because these stacks come into another group. */
export async function unmarkLasting(trx: Db, stackIds: readonly number[]): Promise<void> {
  if (stackIds.length === 0) return
  await trx.updateTable('crashes').set({ is_lasting: 0 }).where(isLasting).where('stack_id', 'in', stackIds).execute()
}

/** Does the same as `unmarkLasting` for all stacks of groups. It must run before the stacks move. */
export async function unmarkLastingOfGroups(trx: Db, groupIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('crashes')
    .set({ is_lasting: 0 })
    .where(isLasting)
    .where('stack_id', 'in', trx.selectFrom('crash_stacks').select('id').where('group_id', 'in', groupIds))
    .execute()
}
