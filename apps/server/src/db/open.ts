import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import type { Logger } from 'pino'
import { createChanges, watchChanges, watchOthers } from './changes.ts'
import type { ChangeFeed } from './change-feed.ts'
import { migrate } from './migrate.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { createReadMemo, forgetfulMemo, type ReadMemo } from './read-memo.ts'
import type { Schema } from './schema.ts'
import { createSqliteChangeFeed } from './sqlite-change-feed.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { waitForPostgres } from './wait-for-postgres.ts'

/** The database, or a transaction on it. */
export type Db = Kysely<Schema>

export interface DatabaseOptions {
  /** `postgres://…`; null selects the embedded database in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** The most connections to PostgreSQL. */
  databaseConnections?: number
  /** The longest time that PostgreSQL may take for a statement, in milliseconds. */
  databaseTimeoutMs?: number
}

export interface OpenDatabase {
  db: Db
  memo: ReadMemo
  /** Undefined over PostgreSQL, whose feed has a connection of its own; see `openPostgresChangeFeed`. */
  feed: ChangeFeed | undefined
}

/**
 * Opens the database and migrates it. Close it with `db.destroy()`.
 *
 * @param log told when PostgreSQL cannot be reached yet
 */
export async function openDatabase(options: DatabaseOptions, log?: Pick<Logger, 'warn'>): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = options
  if (databaseUrl !== null) {
    await waitForPostgres(databaseUrl, log)
    await migratePostgres(databaseUrl)
    const db = openPostgres(databaseUrl, options.databaseConnections ?? 10, options.databaseTimeoutMs ?? 30_000)
    return { db, memo: forgetfulMemo, feed: undefined }
  }
  return openSqlite(join(dataDir, 'fairlead.db'))
}

async function openSqlite(path: string): Promise<OpenDatabase> {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 })
  // In write-ahead-log mode, `synchronous = full` makes each commit durable with a single fsync.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768')
  // Without this limit, the log (WAL) would keep its largest size, so that a full disk would stay full.
  database.exec('pragma journal_size_limit = 16777216')
  // Crashes arrive with personal data, and SQLite must overwrite it in the file when the rows are deleted.
  database.exec('pragma secure_delete = on')
  // From here on, the dialect waits for the lock of another connection, without blocking the event loop.
  database.exec('pragma busy_timeout = 0')
  // The first page of the file says that it is in write-ahead-log mode, so the reader is opened after the pragmas.
  const reader = new DatabaseSync(path, { readOnly: true, timeout: 0 })
  reader.exec('pragma cache_size = -65536')
  const changes = createChanges()
  const feed = createSqliteChangeFeed(database)
  let recordCommitted = () => {}
  const watcher = {
    beforeWrite: watchOthers(database, changes),
    afterWrite() {
      recordCommitted()
      feed.afterWrite()
    },
    afterRollback() {
      changes.recordAll()
      feed.afterRollback()
    },
  }
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(database, watcher, reader) })
  try {
    await migrate(db, 'sqlite')
    recordCommitted = watchChanges(database, changes)
    feed.watch()
    return { db, memo: createReadMemo(changes), feed }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Migrates without time limits: a migration takes long, and so does waiting for another replica's. */
async function migratePostgres(connectionString: string): Promise<void> {
  await using db = openPostgres(connectionString, 2, null)
  await migrate(db, 'postgres')
}

function openPostgres(connectionString: string, maxConnections: number, timeoutMs: number | null): Db {
  const pool = createPostgresPool({ connectionString, maxConnections, timeoutMs })
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
