import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Engine } from './engine.ts'
import { createFirstTables } from './migrations/001-first-tables.ts'
import { addBuildOfMails } from './migrations/002-build-of-mails.ts'
import type { Schema } from './schema.ts'

type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

/** In order, for ever: a step that has landed is not edited, a new one is added. */
const steps: Record<string, Step> = {
  '001-first-tables': createFirstTables,
  '002-build-of-mails': addBuildOfMails,
}

/**
 * Brings the database to this version of the schema. Several replicas may start at once: Kysely holds a lock on
 * PostgreSQL meanwhile, and SQLite has one process.
 */
export async function migrate(db: Kysely<Schema>, engine: Engine): Promise<void> {
  const migrations: Record<string, Migration> = {}
  for (const [name, step] of Object.entries(steps)) {
    migrations[name] = { up: (db) => step(db, engine) }
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
