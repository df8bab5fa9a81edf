import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** A server's database that a bench writes rows into, while no server is running. */
export interface FilledDatabase extends AsyncDisposable {
  engine: 'sqlite' | 'postgres'
  /** Runs a statement and returns its rows, whose shape the caller knows. */
  run: <Row>(statement: string) => Promise<Row[]>
}

/** Opens a database by its `postgres:` URL, or by the path of an SQLite file. */
export async function openFilledDatabase(address: string): Promise<FilledDatabase> {
  return address.startsWith('postgres:') ? openPostgres(address) : openSqlite(address)
}

async function openPostgres(url: string): Promise<FilledDatabase> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // Foreign keys are not checked and no trigger runs, because the rows are known to fit.
  await client.query(`set session_replication_role = replica; set work_mem = '256MB'`)
  return {
    engine: 'postgres',
    run: async <Row>(statement: string) => (await client.query<Row & object>(statement)).rows,
    async [Symbol.asyncDispose]() {
      await client.query('vacuum analyze')
      await client.end()
    },
  }
}

function openSqlite(path: string): FilledDatabase {
  const database = new DatabaseSync(path)
  // A lost file is filled again, so nothing has to be durable, and a statement that fails ends the bench.
  database.exec(`pragma journal_mode = off; pragma foreign_keys = off; pragma synchronous = off`)
  database.exec('pragma cache_size = -1000000; begin')
  return {
    engine: 'sqlite',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the columns it selects
    run: async <Row>(statement: string) => database.prepare(statement).all() as Row[],
    async [Symbol.asyncDispose]() {
      database.exec('commit; pragma journal_mode = wal')
      database.close()
    },
  }
}

/**
 * Fills a table whose indexes are dropped before and made again afterwards, since sorting millions of keys once takes a
 * fraction of the time of inserting each into its place. Indexes of constraints stay.
 */
export async function fillWithoutIndexes(
  database: FilledDatabase,
  table: string,
  fill: () => Promise<unknown>,
): Promise<void> {
  const indexes = await database.run<{ name: string; statement: string }>(
    database.engine === 'sqlite'
      ? `select name, sql as statement from sqlite_master
         where type = 'index' and tbl_name = '${table}' and sql is not null`
      : `select indexname as name, indexdef as statement from pg_indexes
         where tablename = '${table}' and not exists (
           select 1 from pg_constraint
           where conindid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass)`,
  )
  for (const { name } of indexes) await database.run(`drop index ${name}`)
  await fill()
  for (const { statement } of indexes) await database.run(statement)
}

/** A table `numbers` with a column `n` from 1 to `count`, to be put before a select. */
export function numbers(count: number): string {
  const next = `select n + 1 from numbers where n < ${count}`
  return `with recursive numbers(n) as (select cast(1 as bigint) union all ${next})`
}

/** An expression of 32 hexadecimal digits that differ for each number `n`. */
export function digits({ engine }: FilledDatabase): string {
  return engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : 'md5(n::text || random()::text)'
}

export async function findHighestId(database: FilledDatabase, table: string): Promise<number> {
  const [row] = await database.run<{ id: number | string | null }>(`select max(id) as id from ${table}`)
  return Number(row?.id ?? 0)
}

/** Makes PostgreSQL number the next rows after those that were inserted with their ids. SQLite does so by itself. */
export async function moveSequence(database: FilledDatabase, table: string): Promise<void> {
  if (database.engine === 'sqlite') return
  await database.run(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
}
