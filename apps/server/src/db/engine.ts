import { type Kysely, PostgresAdapter } from 'kysely'

/** The supported databases. */
export type Engine = 'sqlite' | 'postgres'

/** Tells whether a database is PostgreSQL, for the few statements that SQLite does not know. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
