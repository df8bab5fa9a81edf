import type { CrashRule } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { parseJsonText, toJsonText } from '../db/json-text.ts'

export async function findRules(db: Db, applicationId: number): Promise<CrashRule[]> {
  const row = await db
    .selectFrom('crash_rules')
    .select('rules')
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row ? parseJsonText(row.rules) : []
}

export async function saveRules(trx: Db, applicationId: number, rules: CrashRule[]): Promise<void> {
  await trx
    .insertInto('crash_rules')
    .values({ application_id: applicationId, rules: toJsonText(rules) })
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet({ rules: (update) => update.ref('excluded.rules') }),
    )
    .execute()
}
