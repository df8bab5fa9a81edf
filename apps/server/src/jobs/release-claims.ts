import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { releaseAllClaims } from './store.ts'

/**
 * Frees the jobs that a dead process had claimed, before the worker starts. The embedded database belongs to one
 * process, so nobody else can hold a claim; over PostgreSQL another replica may, and claims run out by themselves.
 */
export async function releaseDeadClaims({
  db,
  config,
}: {
  db: Db
  config: Pick<Config, 'databaseUrl'>
}): Promise<void> {
  if (config.databaseUrl === null) await releaseAllClaims(db)
}
