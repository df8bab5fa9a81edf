import { Client } from 'pg'

export interface PostgresClient extends AsyncDisposable {
  /** Runs a statement and returns its rows, whose shape the caller knows. */
  query<Row>(statement: string, parameters?: unknown[]): Promise<Row[]>
}

/** Opens a connection of its own to a database, beside those of the server. */
export async function openPostgresClient(connectionString: string): Promise<PostgresClient> {
  const client = new Client({ connectionString })
  await client.connect()
  return {
    query: async (statement, parameters) => (await client.query(statement, parameters)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  }
}
