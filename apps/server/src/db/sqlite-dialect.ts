/**
 * A Kysely dialect for `node:sqlite`. There is one connection, used exclusively: a transaction holds it from `begin` to
 * `commit`, so that no statement of another request slips into it. Prepared statements are cached by their SQL text.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
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

const statementLimit = 500

export interface WriteCounter {
  /** Statements since the start that were not plain selects. */
  writes: number
}

export function createSqliteDialect(database: DatabaseSync, counter: WriteCounter): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, counter),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/**
 * Makes Kysely run migrations in one transaction, which it does not do on SQLite by itself. A process that is killed
 * during a migration leaves nothing half done, and a new database costs one fsync instead of one for each table.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
  onlyReads: boolean
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: SqliteConnection
  readonly #waiting: (() => void)[] = []
  #taken = false

  constructor(database: DatabaseSync, counter: WriteCounter) {
    this.#database = database
    this.#connection = new SqliteConnection(database, counter)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    // `releaseConnection` hands the lock to the first waiter directly, so later callers cannot overtake it.
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full disk, SQLite has rolled back by itself; a second rollback would hide the cause.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()

  readonly #counter: WriteCounter

  constructor(database: DatabaseSync, counter: WriteCounter) {
    this.#database = database
    this.#counter = counter
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows, onlyReads } = this.#prepare(sql)
    if (!onlyReads) this.#counter.writes++
    const values = parameters as SQLInputValue[]
    if (returnsRows) {
      // `node:sqlite` returns untyped rows; Kysely's types describe the query that produced them.
      return { rows: statement.all(...values) as Row[] }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    const rows = this.#database.prepare(sql).iterate(...(parameters as SQLInputValue[]))
    for (const row of rows) yield { rows: [row as Row] }
  }

  #prepare(sql: string) {
    let prepared = this.#statements.get(sql)
    if (prepared) return prepared
    const statement = this.#database.prepare(sql)
    prepared = { statement, returnsRows: statement.columns().length > 0, onlyReads: /^\s*select\b/i.test(sql) }
    if (this.#statements.size >= statementLimit) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}
