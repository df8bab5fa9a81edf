/** The connections to PostgreSQL: their number, their time limits, and what their failures mean. */
import { setTimeout } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

export interface PostgresPoolOptions {
  connectionString: string
  /** The most connections that this process opens. */
  maxConnections: number
  /** The longest time that a statement may take, in milliseconds; null for no limits. */
  timeoutMs: number | null
}

/** How long a request waits for a free or a new connection, in milliseconds. */
const connectionTimeoutMillis = 5000
/** How long closing waits for PostgreSQL, in milliseconds. */
const closingTimeoutMs = 3000

export function createPostgresPool({ connectionString, maxConnections, timeoutMs }: PostgresPoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis,
    keepAlive: true,
    ...(timeoutMs !== null && toLimits(timeoutMs)),
    // Every bigint in this schema is an id, a count, a size or a time, all far below 2^53, so a JavaScript number is
    // exact.
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  const names = createStatementNames()
  // The pool replaces connections that are lost while idle. The pool's own listener is detached from a client while it
  // is checked out; an error event without any listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: pool.options,
    // A database that does not answer does not close its connections either; they end with the process.
    end: () => Promise.race([pool.end(), setTimeout(closingTimeoutMs, undefined, { ref: false })]),
    async connect() {
      try {
        return guardClient(await pool.connect(), names)
      } catch (error) {
        throw new DatabaseUnavailable(error)
      }
    },
  }
}

/**
 * An idle transaction is ended first, so that the statements that wait for its locks still get them. The limit of the
 * client comes last: it is for a server that does not answer at all.
 */
function toLimits(timeoutMs: number): PoolConfig {
  return {
    idle_in_transaction_session_timeout: Math.ceil(timeoutMs / 3),
    lock_timeout: Math.ceil((timeoutMs * 2) / 3),
    statement_timeout: timeoutMs,
    query_timeout: Math.ceil(timeoutMs * 1.2),
  }
}

/**
 * A connection that failed is never used again, because its open transaction or a late answer would reach the next
 * request.
 */
function guardClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let failure: DatabaseUnavailable | undefined
  let isInTransaction = false
  const query = async (text: string, parameters: readonly unknown[] = []) => {
    if (failure) throw failure
    if (text.startsWith('begin') || text.startsWith('start transaction')) isInTransaction = true
    if (text === 'commit' || text === 'rollback') isInTransaction = false
    const name = names.find(text)
    // Kysely passes a cursor as well, but only to streams, which nothing here uses.
    const values = [...parameters]
    try {
      return await client.query(name === undefined ? { text, values } : { name, text, values })
    } catch (error) {
      if (name !== undefined && cannotUseName(error, names)) {
        // A transaction that failed is over. Its request is told to try again, and the next one has no such name.
        if (!isInTransaction) return await client.query({ text, values })
        failure = new DatabaseUnavailable(error)
        throw failure
      }
      if (!isLost(error)) throw error
      failure = new DatabaseUnavailable(error)
      throw failure
    }
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only Kysely knows the type of the rows of a query
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(failure ?? destroy),
  }
}

/**
 * Tells whether a statement failed because of its name, and mends the names.
 *
 * 0A000 (feature_not_supported): another replica has migrated a table, so the prepared statement would return other
 * columns. 26000 (invalid_sql_statement_name) and 42P05 (duplicate_prepared_statement): a pooler between here and
 * PostgreSQL hands each transaction another session, and does not carry prepared statements over.
 */
function cannotUseName(error: unknown, names: StatementNames): boolean {
  if (!(error instanceof DatabaseError)) return false
  if (error.code === '0A000' && error.message.includes('cached plan')) {
    names.renew()
    return true
  }
  if (error.code !== '26000' && error.code !== '42P05') return false
  names.stop()
  return true
}

/**
 * SQLSTATE classes that end the session, or leave open whether the transaction took effect: connection exceptions, no
 * resources, operator intervention, system errors, internal errors, and 25P03 (idle_in_transaction_session_timeout).
 * 53100 (disk_full) is none of them: the statement failed, and the transaction is rolled back.
 */
const lostSessions = /^(08|53(?!100)|58|XX|57P|25P03)/

/** The database reports its own errors as a `DatabaseError`; every other error is a failure of the connection. */
function isLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || lostSessions.test(error.code ?? '')
}
