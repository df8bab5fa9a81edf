/**
 * A Kysely dialect for `node:sqlite` with two connections to one database. The first writes: a transaction holds it
 * from `begin` to `commit`, so that no statement of another request slips into it. The second only reads: in
 * write-ahead-log mode it sees what is committed, so reads outside of transactions wait for no transaction. Prepared
 * statements are cached by their SQL text. See decision 030.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Turns } from './turns.ts'
import { type WriteLength, WriteLock } from './write-lock.ts'

const statementLimit = 500

/**
 * How long a statement waits while another connection holds the lock for writing (`SQLITE_BUSY`), and how long between
 * attempts, in milliseconds. SQLite's own `busy_timeout` would block the event loop meanwhile, and with it a
 * transaction of another connection of this process, which could then never end.
 */
const lockMs = 30_000
const lockPauseMs = 5

/** Is told what makes remembered reads untrue. */
export interface SqliteWatcher {
  /** A statement follows that may write. */
  beforeWrite(): void
  /** A statement that may have written is done; outside of a transaction, what it wrote is durable. */
  afterWrite(): void
  /** A transaction was rolled back, so what it read of itself was never true. */
  afterRollback(): void
}

const nobody: SqliteWatcher = { beforeWrite: () => {}, afterWrite: () => {}, afterRollback: () => {} }

/**
 * Creates the dialect. Without a reader, the writer reads too.
 *
 * @param reader a second connection to the same database, which is in write-ahead-log mode
 */
export function createSqliteDialect(writer: DatabaseSync, watcher = nobody, reader?: DatabaseSync): Dialect {
  return {
    createDriver: () => new SqliteDriver(writer, watcher, reader),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TwoConnectionsAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class TwoConnectionsAdapter extends SqliteAdapter {
  /** Without this, Kysely itself would let one caller at a time to the database. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /**
   * Makes Kysely run migrations in one transaction, which it does not do on SQLite by itself. A process that is killed
   * during a migration leaves nothing half done, and a new database costs one fsync instead of one for each table.
   */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #writer: DatabaseSync
  readonly #reader: DatabaseSync | undefined
  readonly #watcher: SqliteWatcher
  readonly #shared: SharedConnections

  constructor(writer: DatabaseSync, watcher: SqliteWatcher, reader: DatabaseSync | undefined) {
    this.#writer = writer
    this.#reader = reader
    this.#watcher = watcher
    const lock = new WriteLock()
    this.#shared = {
      lock,
      writing: new Statements(writer, watcher, new Turns(() => lock.isWanted)),
      reading: reader && new Statements(reader, nobody, new Turns()),
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#shared)
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.unlock()
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.lock('transaction')
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // On a full disk, SQLite has rolled back by itself; a second rollback would hide the cause.
    if (this.#writer.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
    this.#watcher.afterRollback()
  }

  async destroy(): Promise<void> {
    this.#reader?.close()
    this.#writer.close()
  }
}

interface SharedConnections {
  lock: WriteLock
  writing: Statements
  /** Undefined where the writer reads too. */
  reading: Statements | undefined
}

/** What Kysely takes for a connection: a transaction, or a single statement outside of one. */
class SqliteConnection implements DatabaseConnection {
  readonly #shared: SharedConnections
  #isLocked = false

  constructor(shared: SharedConnections) {
    this.#shared = shared
  }

  /** Waits until nobody else writes, and keeps others from it. */
  async lock(length: WriteLength): Promise<void> {
    await this.#shared.lock.take(length)
    this.#isLocked = true
  }

  unlock(): void {
    if (this.#isLocked) this.#shared.lock.release()
    this.#isLocked = false
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { reading, writing } = this.#shared
    if (this.#isLocked) return this.#run(writing, query)
    if (reading && isRead(query.sql)) return this.#run(reading, query)
    await this.lock('statement')
    try {
      return await this.#run(writing, query)
    } finally {
      this.unlock()
    }
  }

  async #run<Row>(statements: Statements, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const deadline = performance.now() + lockMs
    for (;;) {
      try {
        return await statements.execute<Row>(sql, parameters)
      } catch (error) {
        // Within a transaction the lock is held already, so an error of this kind means something else.
        if (!isBusy(error) || statements.isTransaction || performance.now() > deadline) throw error
      }
      await setTimeout(lockPauseMs)
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    const { rows } = await this.executeQuery<Row>(query)
    for (const row of rows) yield { rows: [row] }
  }
}

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
  onlyReads: boolean
}

/** Runs statements on one connection. */
class Statements {
  readonly #turns: Turns
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #watcher: SqliteWatcher

  constructor(database: DatabaseSync, watcher: SqliteWatcher, turns: Turns) {
    this.#turns = turns
    this.#database = database
    this.#watcher = watcher
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction
  }

  async execute<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.#turns.run(() => this.#execute<Row>(sql, parameters))
  }

  #execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, returnsRows, onlyReads } = this.#prepare(sql)
    if (!onlyReads) this.#watcher.beforeWrite()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the columns allow nothing else
    const values = parameters as SQLInputValue[]
    if (returnsRows) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely knows the type of the rows
      const rows = statement.all(...values) as Row[]
      if (!onlyReads) this.#watcher.afterWrite()
      return { rows }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    if (!onlyReads) this.#watcher.afterWrite()
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string) {
    let prepared = this.#statements.get(sql)
    if (prepared) return prepared
    const statement = this.#database.prepare(sql)
    prepared = { statement, returnsRows: statement.columns().length > 0, onlyReads: isRead(sql) }
    if (this.#statements.size >= statementLimit) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** Tells whether a statement can only read. Kysely writes a common table expression (`with`) before writes as well. */
function isRead(sql: string): boolean {
  return /^\s*select\b/i.test(sql)
}

/** `SQLITE_BUSY`, with or without the further bits of an extended code. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
