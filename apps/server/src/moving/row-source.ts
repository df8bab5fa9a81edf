/**
 * Reads a consistent snapshot of all tables on either engine. The names of tables and columns come from the database.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { invariant } from '@fairlead/invariant'
import { Client, types } from 'pg'
import type { DatabaseOptions } from '../db/open.ts'

export type Value = string | number | null | Uint8Array
export type RawRow = Record<string, Value>

export interface Reference {
  column: string
  table: string
  target: string
}

export interface Table {
  name: string
  columns: string[]
  /** Columns of the primary key, in its order. */
  key: string[]
  references: Reference[]
}

/** A consistent view of the database. Writers may continue meanwhile; their changes do not appear in it. */
export interface RowSource extends AsyncDisposable {
  /** Every table of Fairlead, each after those that it refers to. */
  tables: Table[]
  /** The name of the last migration. */
  version: string
  /** The rows of a table in the order of its key. `where` is trusted SQL that contains no text from outside. */
  rows(table: Table, where?: string): AsyncIterable<RawRow>
}

const batchSize = 500

/** References that triggers keep instead of a foreign key, on PostgreSQL alone. */
const keptByTriggers: Readonly<Record<string, Reference[]>> = {
  test_results: [{ column: 'run_id', table: 'test_runs', target: 'id' }],
}

export async function openRowSource({ databaseUrl, dataDir }: DatabaseOptions): Promise<RowSource> {
  return databaseUrl === null ? openSqliteSource(join(dataDir, 'fairlead.db')) : openPostgresSource(databaseUrl)
}

/** Returns what a row has in a column that its query names. */
function requireColumn<Value>(row: Record<string, Value>, name: string): Value {
  const value = row[name]
  invariant(value !== undefined, `the query has a column ${name}`)
  return value
}

async function openSqliteSource(path: string): Promise<RowSource> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  database.exec('begin')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the queries below name columns of these types
  const all = (text: string) => database.prepare(text).all() as Record<string, string & number>[]
  const names = all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
  const tables = names.map(({ name = '' }): Table => {
    const columns = all(`select name, pk from pragma_table_info('${name}') order by cid`)
    const place = (column: Record<string, string & number>) => requireColumn(column, 'pk')
    const key = columns.filter((column) => place(column) > 0).sort((a, b) => place(a) - place(b))
    const references = all(`select "from", "table", "to" from pragma_foreign_key_list('${name}') order by "from"`)
    return {
      name,
      columns: columns.map((column) => requireColumn(column, 'name')),
      key: key.map((column) => requireColumn(column, 'name')),
      references: references.map(({ from = '', table = '', to }) => ({ column: from, table, target: to ?? 'id' })),
    }
  })
  const [last] = all('select max(name) as name from kysely_migration')
  return {
    tables: sortByReferences(tables),
    version: last?.['name'] ?? '',
    async *rows(table, where) {
      for (const row of database.prepare(toSelect(table, where)).iterate()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fairlead's tables hold no BigInt
        yield row as RawRow
      }
    },
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}

async function openPostgresSource(connectionString: string): Promise<RowSource> {
  const client = new Client({
    connectionString,
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  const all = async (text: string) => (await client.query<Record<string, string>>(text)).rows
  const columns = await all(
    `select table_name as table, column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() order by table_name, ordinal_position`,
  )
  const constraints = await all(
    `select c.contype::text as type, t.relname as table, a.attname as name, f.relname as target, b.attname as column
     from pg_constraint c
     join pg_class t on t.oid = c.conrelid
     join pg_namespace n on n.oid = t.relnamespace and n.nspname = current_schema()
     cross join lateral unnest(c.conkey) with ordinality as k(number, place)
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
     left join pg_class f on f.oid = c.confrelid
     left join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[k.place]
     where c.contype in ('p', 'f') order by t.relname, k.place, a.attname`,
  )
  const tables = [...Map.groupBy(columns, ({ table = '' }) => table)].map(([name, own]): Table => {
    const mine = constraints.filter(({ table }) => table === name)
    return {
      name,
      columns: own.map((column) => requireColumn(column, 'name')),
      key: mine.filter(({ type }) => type === 'p').map((key) => requireColumn(key, 'name')),
      references: mine
        .filter(({ type }) => type === 'f')
        .map(({ name: column = '', target = '', column: to }) => ({ column, table: target, target: to ?? 'id' }))
        .concat(keptByTriggers[name] ?? []),
    }
  })
  const [last] = await all('select max(name) as name from kysely_migration')
  const texts = new Set(columns.filter(({ type }) => type === 'text').map(({ table, name }) => `${table}.${name}`))
  return {
    tables: sortByReferences(tables),
    version: last?.['name'] ?? '',
    async *rows(table, where) {
      // SQLite compares text byte by byte, PostgreSQL by the rules of its locale.
      const collation = (column: string) => (texts.has(`${table.name}.${column}`) ? ' collate "C"' : '')
      await client.query(`declare exported no scroll cursor for ${toSelect(table, where, collation)}`)
      for (;;) {
        const { rows } = await client.query<RawRow>(`fetch ${batchSize} from exported`)
        yield* rows
        if (rows.length < batchSize) break
      }
      await client.query('close exported')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

function toSelect({ name, columns, key }: Table, where = 'true', collation = (_column: string) => ''): string {
  const quote = (column: string) => `"${column}"`
  const order = (key.length > 0 ? key : columns).map((column) => quote(column) + collation(column))
  return `select ${columns.map(quote).join(', ')} from "${name}" where ${where} order by ${order.join(', ')}`
}

/** The migrations' own tables are left out: a database that imports has its own. */
function sortByReferences(tables: Table[]): Table[] {
  const waiting = new Map(tables.filter(({ name }) => !name.startsWith('kysely_')).map((table) => [table.name, table]))
  const sorted: Table[] = []
  while (waiting.size > 0) {
    const before = waiting.size
    for (const table of waiting.values()) {
      if (table.references.some((other) => other.table !== table.name && waiting.has(other.table))) continue
      sorted.push(table)
      waiting.delete(table.name)
    }
    if (waiting.size === before) throw new Error(`These tables refer to each other: ${[...waiting.keys()].join(', ')}`)
  }
  return sorted
}
