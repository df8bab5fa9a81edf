import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/**
 * Makes the index of an application's tests hold the searched texts on SQLite, so that a search does not read the rows,
 * which are much longer. PostgreSQL limits the length of its entries, and does not run on the thread of requests.
 */
export async function addIndexOfSearchedTests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'postgres') return
  await db.schema.dropIndex('tests_by_application_id_id').execute()
  await sql`create index tests_searched on tests (application_id, id, suite, class, name)`.execute(db)
}
