import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder } from '../table-builder.ts'

/** Adds the index by which a build is found by its number, as in a search for `#128`. */
export async function addBuildNumbers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = createTableBuilder(db, engine)
  await index('builds', ['application_id', 'number']).execute()
}
