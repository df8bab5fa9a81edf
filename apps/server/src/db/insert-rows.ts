import { CompiledQuery, type Insertable, type Selectable } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Db } from './open.ts'
import type { Schema } from './schema.ts'

type Table = keyof Schema
type Column<Name extends Table> = keyof Selectable<Schema[Name]> & string
type Value = string | number | null

interface InsertOptions<Name extends Table, Returned extends Column<Name>> {
  /** A clause after the rows, such as `on conflict do nothing`. */
  conflict?: string
  returning?: readonly Returned[]
}

/** The numbers of rows that one statement of SQLite may insert, so that few different statements are prepared. */
const batchSizes = [250, 50, 10, 1]
/** PostgreSQL gets the rows of a statement as one JSON text. */
const rowsPerText = 2000

/**
 * Inserts many rows, which must all have the columns of the first. Their statements are compiled once, because Kysely
 * creates objects for each value, which takes several times as long as the insert itself. Returns the columns that
 * `returning` names, in any order.
 */
export async function insertRows<Name extends Table, Returned extends Column<Name> = never>(
  db: Db,
  table: Name,
  rows: readonly Insertable<Schema[Name]>[],
  { conflict = '', returning = [] }: InsertOptions<Name, Returned> = {},
): Promise<Pick<Selectable<Schema[Name]>, Returned>[]> {
  const [first] = rows
  if (first === undefined) return []
  const columns = Object.keys(first)
  const names = columns.map(quote).join(', ')
  const end = returning.length === 0 ? conflict : `${conflict} returning ${returning.map(quote).join(', ')}`
  const returned: Pick<Selectable<Schema[Name]>, Returned>[] = []
  const execute = async (text: string, parameters: unknown[]) => {
    const result = await db.executeQuery<Pick<Selectable<Schema[Name]>, Returned>>(CompiledQuery.raw(text, parameters))
    for (const row of result.rows) returned.push(row)
  }
  if (isPostgres(db)) {
    const source = `select ${names} from json_populate_recordset(null::${quote(table)}, $1::json)`
    for (let at = 0; at < rows.length; at += rowsPerText) {
      await execute(`insert into ${quote(table)} (${names}) ${source} ${end}`, [
        toJson(rows.slice(at, at + rowsPerText)),
      ])
    }
    return returned
  }
  const row = `(${columns.map(() => '?').join(', ')})`
  for (let at = 0; at < rows.length;) {
    const size = batchSizes.find((one) => one <= rows.length - at) ?? 1
    const batch = rows.slice(at, at + size)
    const places = Array.from({ length: size }, () => row).join(', ')
    await execute(`insert into ${quote(table)} (${names}) values ${places} ${end}`, listValues(batch, columns))
    at += size
  }
  return returned
}

function listValues(rows: readonly object[], columns: readonly string[]): Value[] {
  const values: Value[] = []
  for (const row of rows) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of `Insertable` hold nothing else
    const fields = row as Record<string, Value>
    for (const column of columns) values.push(fields[column] ?? null)
  }
  return values
}

/** PostgreSQL refuses lone surrogates in JSON, which the driver replaces in other texts. */
function toJson(rows: readonly object[]): string {
  const text = JSON.stringify(rows)
  if (!/\\ud[89a-f]/i.test(text)) return text
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
}

function quote(name: string): string {
  return `"${name}"`
}
