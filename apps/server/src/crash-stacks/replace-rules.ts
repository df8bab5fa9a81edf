import type { CrashRules } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { saveRules } from './rules-store.ts'
import { lockApplication, markAllStacks } from './stacks-store.ts'

/** Replaces the rules of an application. The stacks are read again by a job. */
export async function replaceRules(
  { db, config, jobs }: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  applicationId: number,
  { rules }: CrashRules,
): Promise<CrashRules> {
  await db.transaction().execute(async (trx) => {
    await lockApplication(trx, config.databaseUrl === null ? 'sqlite' : 'postgres', applicationId)
    await saveRules(trx, applicationId, rules)
    await markAllStacks(trx, applicationId)
  })
  jobs.wake()
  return { rules }
}
