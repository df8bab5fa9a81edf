import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { createReadMemo, forgetfulMemo, type ReadMemo } from './read-memo.ts'
import type { Schema } from './schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'

/** The database, or a transaction on it. */
export type Db = Kysely<Schema>

export interface DatabaseOptions {
  /** `postgres://…`; null selects the embedded database in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
}

export interface OpenDatabase {
  db: Db
  memo: ReadMemo
}

/** Opens the database and migrates it. Close it with `db.destroy()`. */
export async function openDatabase({ databaseUrl, dataDir }: DatabaseOptions): Promise<OpenDatabase> {
  const engine: Engine = databaseUrl === null ? 'sqlite' : 'postgres'
  const opened = databaseUrl === null ? openSqlite(join(dataDir, 'fairlead.db')) : openPostgres(databaseUrl)
  try {
    await migrate(opened.db, engine)
    return opened
  } catch (error) {
    await opened.db.destroy()
    throw error
  }
}

function openSqlite(path: string): OpenDatabase {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 })
  // In write-ahead-log mode, `synchronous = full` makes each commit durable with a single fsync.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  // Crashes arrive with personal data, which must be gone from the file once they are scrubbed.
  database.exec('pragma secure_delete = on')
  const counter = { writes: 0 }
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(database, counter) })
  return { db, memo: createReadMemo(() => counter.writes) }
}

function openPostgres(connectionString: string): OpenDatabase {
  const pool = new Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: 10_000,
    // Every bigint in this schema is an id, a count, a size or a time, all far below 2^53, so a JavaScript number is
    // exact.
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  // The pool replaces idle connections that the server closes. Without a listener, their errors would end the process.
  pool.on('error', () => {})
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), memo: forgetfulMemo }
}
