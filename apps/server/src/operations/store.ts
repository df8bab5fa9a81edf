import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Counts the jobs that are due; `runAt` is when the first of them was, in epoch milliseconds. */
export async function countWaitingJobs(db: Db, now: number): Promise<{ count: number; runAt: number | null }> {
  const row = await db
    .selectFrom('jobs')
    .select((select) => [select.fn.countAll<number>().as('count'), select.fn.min('run_at').as('run_at')])
    .where('run_at', '<=', now)
    .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  return { count: row.count, runAt: row.run_at }
}

export async function countBlobs(db: Db): Promise<{ count: number; size: number }> {
  const row = await db
    .selectFrom('blobs')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number | string | null>('size').as('size'),
    ])
    .executeTakeFirstOrThrow()
  // PostgreSQL adds bigints to a decimal, which arrives as text.
  return { count: row.count, size: Number(row.size ?? 0) }
}

/** Rejects when the database does not answer a query. */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
