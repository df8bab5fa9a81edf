import type { Kysely } from 'kysely'

/** Source maps without a debug id are found by the names of their bundles, in lists of builds and for crashes. */
export async function addIndexOfBundles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('symbols_images_by_application_id_name')
    .on('symbols_images')
    .columns(['application_id', 'name'])
    .execute()
}
