import type { Expression, ExpressionBuilder, Insertable, SqlBool } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import type { JobKind } from '../db/schema/job-payloads.ts'
import { whereGiven } from '../db/where-given.ts'

export type ClaimedJob = Pick<Row<'jobs'>, 'id' | 'kind' | 'payload' | 'attempts' | 'run_at'>

/** How many rows one statement inserts, safely below SQLite's parameter limit. */
const batchSize = 500

/** Inserts jobs. A job whose key exists already moves the job of that key to its own time. */
export async function insertJobs(trx: Db, rows: Insertable<Schema['jobs']>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += batchSize) {
    await trx
      .insertInto('jobs')
      .values(rows.slice(start, start + batchSize))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ run_at: (update) => update.ref('excluded.run_at') }),
      )
      .execute()
  }
}

interface ClaimOptions {
  engine: Engine
  now: number
  leaseMs: number
  /** The kind of job that must not be claimed. */
  except: JobKind | undefined
}

/**
 * How far in the future a job may have been enqueued, in milliseconds: by a replica whose clock is ahead of ours, or
 * after the statement that claims began to wait for the table.
 */
const clockSkewMs = 60_000

/**
 * Claims the job that has been due longest, in a single statement, so that no two workers get the same one. A job from
 * further in the future than clocks differ was enqueued before the clock was set back, and is due as well.
 */
export async function claimJob(
  db: Db,
  { engine, now, leaseMs, except }: ClaimOptions,
): Promise<ClaimedJob | undefined> {
  const selectFree = (isDue: (where: ExpressionBuilder<Schema, 'jobs'>) => Expression<SqlBool>) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where(isDue)
      .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', now)]))
      .$call(whereGiven(except, (query, kind) => query.where('kind', '!=', kind)))
      .orderBy('run_at')
      .orderBy('id')
      .limit(1)
      .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
  return db
    .updateTable('jobs')
    .set((update) => ({ claimed_until: now + leaseMs, attempts: update('attempts', '+', 1) }))
    .where('id', '=', (select) =>
      // Each of the two conditions has an index; one query for either of them would read all jobs that are not due.
      select.fn.coalesce(
        selectFree((where) => where('run_at', '<=', now)),
        selectFree((where) => where('created_at', '>', now + clockSkewMs)),
      ),
    )
    .returning(['id', 'kind', 'payload', 'attempts', 'run_at'])
    .executeTakeFirst()
}

/** Returns the due time of the next unclaimed job in epoch milliseconds, not counting those of the kind `except`. */
export async function findNextRun(db: Db, except?: JobKind): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('claimed_until', 'is', null)
    .$call(whereGiven(except, (query, kind) => query.where('kind', '!=', kind)))
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return row?.run_at
}

/** Returns when the first claim of a due job ends, in epoch milliseconds, not counting those of the kind `except`. */
export async function findNextClaimEnd(db: Db, now: number, except?: JobKind): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('claimed_until')
    .where('claimed_until', 'is not', null)
    .where('run_at', '<=', now)
    .$call(whereGiven(except, (query, kind) => query.where('kind', '!=', kind)))
    .orderBy('claimed_until')
    .limit(1)
    .executeTakeFirst()
  return row?.claimed_until ?? undefined
}

// The statements below compare `attempts`: it has increased if another worker has claimed the job since, and then they
// change nothing.

export async function extendClaim(db: Db, { id, attempts }: ClaimedJob, until: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Deletes a job that is done, unless it was enqueued again while it ran: then it only becomes free. */
export async function deleteJob(db: Db, { id, attempts, run_at }: ClaimedJob): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('run_at', '=', run_at)
    .executeTakeFirst()
  if (numDeletedRows > 0n) return
  await db
    .updateTable('jobs')
    .set({ attempts: 0, claimed_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Releases a job until its next run, as if it were enqueued now for then. */
export async function postponeJob(
  db: Db,
  { id, attempts }: ClaimedJob,
  next: { runAt: number; attempts: number; lastError: string | null },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      run_at: next.runAt,
      attempts: next.attempts,
      last_error: next.lastError,
      claimed_until: null,
      created_at: Date.now(),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Frees all jobs, whoever has claimed them. */
export async function releaseAllClaims(db: Db): Promise<void> {
  await db.updateTable('jobs').set({ claimed_until: null }).where('claimed_until', 'is not', null).execute()
}
