import { type Kysely, sql } from 'kysely'

/**
 * A complete run is marked until it is judged with all its reports and its tests are up to date, so that a process that
 * dies meanwhile leaves no wrong verdict. A failure has a key of the functions of the product in which it happened.
 */
export async function addJudgementMarks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('test_runs')
    .addColumn('unfinished', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('test_failures').addColumn('product_key', 'text').execute()
  // A base has few failures with a key among many results.
  await sql`create index test_failures_by_product_key on test_failures (run_id) where product_key is not null`.execute(
    db,
  )
}
