/**
 * A Kysely dialect for `node:sqlite`. There is one connection, used exclusively: a transaction holds it from `begin` to
 * `commit`, so that no statement of another request slips into it. Prepared statements are cached by their SQL text.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate as runLater } from 'node:timers'
import { setImmediate } from 'node:timers/promises'
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

/**
 * How long statements may follow each other in one turn of the event loop, in milliseconds. SQLite runs on the thread
 * that answers requests, and the promises of its statements are kept within one turn (microtasks), so a transaction of
 * many statements would hold up every request that needs no database.
 */
const turnMs = 8

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
  /** When the first statement of this turn of the event loop began; undefined before it. */
  #turnStartedAt: number | undefined

  constructor(database: DatabaseSync, counter: WriteCounter) {
    this.#database = database
    this.#counter = counter
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    while (this.#turnStartedAt !== undefined && performance.now() - this.#turnStartedAt > turnMs) await setImmediate()
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = performance.now()
      runLater(() => (this.#turnStartedAt = undefined))
    }
    return this.#execute(sql, parameters)
  }

  #execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, returnsRows, onlyReads } = this.#prepare(sql)
    if (!onlyReads) this.#counter.writes++
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the columns allow nothing else
    const values = parameters as SQLInputValue[]
    if (returnsRows) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely knows the type of the rows
      return { rows: statement.all(...values) as Row[] }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the columns allow nothing else
    const rows = this.#database.prepare(sql).iterate(...(parameters as SQLInputValue[]))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `executeQuery`
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
