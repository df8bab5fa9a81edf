import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { findTemplate } from './migrated-database.ts'

export interface TestDatabase extends AsyncDisposable {
  /** Null for the embedded database. */
  url: string | null
}

/** Creates a migrated database without rows on the server in `FAIRLEAD_TEST_DATABASE_URL`, and drops it on disposal. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.FAIRLEAD_TEST_DATABASE_URL
  if (serverUrl === undefined) return { url: null, async [Symbol.asyncDispose]() {} }
  const name = `fairlead_test_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name} template ${await findTemplate(serverUrl)}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(serverUrl, `drop database ${name} with (force)`),
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
