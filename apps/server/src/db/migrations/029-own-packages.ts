import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required } from '../table-builder.ts'

/** Adds the packages of an application's own code, which its builds name. */
export async function addOwnPackages(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table } = createTableBuilder(db, engine)
  await table('own_packages')
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('package', 'text', required)
    .addPrimaryKeyConstraint('own_packages_key', ['application_id', 'package'])
    .execute()
}
