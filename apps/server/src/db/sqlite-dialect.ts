/**
 * Kysely on `node:sqlite`. One connection, one user of it at a time: a transaction holds it from `begin` to `commit`,
 * so that no other request's statement slips into it. Statements are prepared once and kept by their text.
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
  /** Statements that were no plain reads, since the start. */
  writes: number
}

export function createSqliteDialect(database: DatabaseSync, counter: WriteCounter): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, counter),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
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
    // The lock is handed from release straight to the first in line, so nobody can overtake.
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
    await connection.executeQuery(CompiledQuery.raw('rollback'))
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
      // The shape of a row is what the schema says, which Kysely carries in its own types.
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
