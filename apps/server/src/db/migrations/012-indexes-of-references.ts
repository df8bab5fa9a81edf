import { type Kysely, sql } from 'kysely'

/**
 * Deleting a row makes the database look for rows that refer to it, and without an index it reads their whole table:
 * deleting a build read all images of symbols, and deleting a release read all crashes of its application.
 */
const columns: readonly [table: string, column: string][] = [
  ['symbols_files', 'workspace_id'],
  ['symbols_images', 'blob_id'],
  ['crash_groups', 'redirect_id'],
  ['crash_groups', 'resolved_release_id'],
  ['crash_groups', 'first_release_id'],
  ['crash_groups', 'last_release_id'],
  ['crash_stacks', 'first_release_id'],
  ['crash_stacks', 'last_release_id'],
  ['crash_waits', 'release_id'],
  ['crashes', 'release_id'],
  ['crash_days', 'release_id'],
  ['crash_sketches', 'release_id'],
  ['session_days', 'release_id'],
]

/** Adds the indexes that were missing on references. Rows that refer to nothing are left out of them. */
export async function addIndexesOfReferences(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    const name = sql.ref(`${table}_by_${column}`)
    const on = sql.ref(column)
    await sql`create index ${name} on ${sql.table(table)} (${on}) where ${on} is not null`.execute(db)
  }
}
