import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { findTemplate } from './migrated-database.ts'

export interface TestDatabase extends AsyncDisposable {
  /** Null for the embedded database. */
  url: string | null
}

/** Creates a migrated database without rows on the server in `FAIRLEAD_TEST_DATABASE_URL`, and drops it on disposal. */
export function createTestDatabase(): Promise<TestDatabase> {
  // Copying files takes less processor time than the default, which writes every page to the log as well.
  return createDatabase(async (serverUrl) => ` template ${await findTemplate(serverUrl)} strategy file_copy`)
}

/** Creates a database without tables there, for tests of migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(async () => '')
}

async function createDatabase(toOptions: (serverUrl: string) => Promise<string>): Promise<TestDatabase> {
  const serverUrl = process.env.FAIRLEAD_TEST_DATABASE_URL
  if (serverUrl === undefined) return { url: null, async [Symbol.asyncDispose]() {} }
  const name = `fairlead_test_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name}${await toOptions(serverUrl)}`)
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
