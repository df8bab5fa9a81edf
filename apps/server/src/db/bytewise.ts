import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Db } from './open.ts'

/**
 * A text column as the indexes that find beginnings of texts have it: compared byte by byte, as the embedded database
 * compares all. PostgreSQL reads such an index for no other comparison, not even for that of equal texts.
 */
export function bytewise(db: Db, column: string): RawBuilder<string> {
  const name = sql.ref<string>(column)
  return isPostgres(db) ? sql<string>`${name} collate "C"` : name
}
