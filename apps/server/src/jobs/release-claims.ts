import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { releaseAllClaims } from './store.ts'

/**
 * Frees the jobs that a dead process had claimed, before the worker starts. The embedded database belongs to one
 * process, so no other process can hold a claim. With PostgreSQL another replica may hold one, and claims expire by
 * themselves.
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
