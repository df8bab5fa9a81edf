import { setTimeout } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'

/** How long a start waits for PostgreSQL, in milliseconds, and how often it tries. */
const patienceMs = 120_000
const retryMs = 1000
/** The pause between two log lines about waiting. */
const reportMs = 10_000

/** SQLSTATE classes for wrong credentials and an unknown database, which do not pass by waiting. */
const hopeless = /^(28|3D)/

/**
 * Waits until PostgreSQL accepts connections, for example while the machine starts or the database fails over.
 *
 * @throws what the last attempt threw
 */
export async function waitForPostgres(connectionString: string, log: Pick<Logger, 'warn'> | undefined): Promise<void> {
  const startedAt = Date.now()
  let reportedAt = 0
  for (;;) {
    const error = await tryToConnect(connectionString)
    if (error === undefined) return
    const now = Date.now()
    if (error instanceof DatabaseError && hopeless.test(error.code ?? '')) throw error
    if (now - startedAt > patienceMs) throw error
    if (now - reportedAt >= reportMs) {
      reportedAt = now
      const seconds = Math.round((startedAt + patienceMs - now) / 1000)
      log?.warn({ err: error }, `PostgreSQL cannot be reached; the start waits for it, at most ${seconds} s more`)
    }
    await setTimeout(retryMs)
  }
}

/** Returns the error of the attempt, or undefined when it succeeded. */
async function tryToConnect(connectionString: string): Promise<unknown> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => {})
  }
}
