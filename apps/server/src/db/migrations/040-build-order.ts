import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, zero } from '../table-builder.ts'

/** Numbers the builds of each application, keeps their size beside them, and adds indexes to sort and count by. */
export async function addBuildOrder(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = createTableBuilder(db, engine)
  await db.schema.alterTable('builds').addColumn('number', 'bigint', zero).execute()
  await db.schema.alterTable('builds').addColumn('size', 'bigint', zero).execute()
  await db.schema.alterTable('applications').addColumn('last_build_number', 'bigint', zero).execute()
  const numbered = sql`
    select builds.id, blobs.size, row_number() over (partition by application_id order by builds.id) as place
    from builds inner join blobs on blobs.id = builds.blob_id`
  await sql`update builds set number = numbered.place, size = numbered.size
    from (${numbered}) as numbered where numbered.id = builds.id`.execute(db)
  await sql`update applications set last_build_number = coalesce(
      (select max(builds.number) from builds where builds.application_id = applications.id), 0)`.execute(db)
  for (const column of ['size', 'install_count']) {
    await sql`create index ${sql.ref(`builds_by_${column}`)} on builds (application_id, ${sql.ref(column)}, id)
      where trashed_at is null`.execute(db)
  }
  await index('releases', ['application_id', 'version']).execute()
}
