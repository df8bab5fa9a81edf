import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/**
 * The table of all tests is ordered by suite, class and name, and SQLite would sort them on the thread of requests for
 * every page. PostgreSQL limits the length of its entries, and does not run on that thread.
 */
export async function addIndexOfNamedTests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'postgres') return
  await sql`
    create index tests_named on tests (application_id, coalesce(suite, ''), coalesce(class, ''), name, id)
  `.execute(db)
}
