import type { CrashRule } from '@fairlead/contract'
import type { Db } from '../db/open.ts'

export async function findRules(db: Db, applicationId: number): Promise<CrashRule[]> {
  const row = await db
    .selectFrom('crash_rules')
    .select('rules')
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  // `saveRules` wrote a list of rules that the contract's schema had accepted.
  return row ? (JSON.parse(row.rules) as CrashRule[]) : []
}

export async function saveRules(trx: Db, applicationId: number, rules: CrashRule[]): Promise<void> {
  await trx
    .insertInto('crash_rules')
    .values({ application_id: applicationId, rules: JSON.stringify(rules) })
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet({ rules: (update) => update.ref('excluded.rules') }),
    )
    .execute()
}
