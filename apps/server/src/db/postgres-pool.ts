/** The connections to PostgreSQL: their number, their time limits, and what their failures mean. */
import { setTimeout } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'

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
        return guardClient(await pool.connect())
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
function guardClient(client: PoolClient): PostgresPoolClient {
  let failure: DatabaseUnavailable | undefined
  const query = async (sql: unknown, parameters: readonly unknown[] = []) => {
    if (failure) throw failure
    try {
      // Kysely passes a cursor as well, but only to streams, which nothing here uses.
      return await client.query(sql as string, [...parameters])
    } catch (error) {
      if (!isLost(error)) throw error
      failure = new DatabaseUnavailable(error)
      throw failure
    }
  }
  // The rows have the type of their query, which only Kysely knows, and the type of a cursor is never asked for.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(failure ?? destroy),
  }
}

/**
 * SQLSTATE classes that end the session, or leave open whether the transaction took effect: connection exceptions, no
 * resources, operator intervention, system errors, internal errors, and 25P03 (idle_in_transaction_session_timeout).
 */
const lostSessions = /^(08|53|58|XX|57P|25P03)/

/** The database reports its own errors as a `DatabaseError`; every other error is a failure of the connection. */
function isLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || lostSessions.test(error.code ?? '')
}
