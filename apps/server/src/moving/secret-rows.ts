/** An archive holds secrets readable, so that an installation with another key can import it. */
import type { Config } from '../config.ts'
import type { SecretText } from '../db/secret-text.ts'
import { decryptSecret, encryptSecret } from '../secrets/encrypt.ts'
import { listSecretPlaces, type PlacedColumn } from '../secrets/places.ts'
import type { RawRow, RowSource, Table } from './row-source.ts'

type Keys = Pick<Config, 'secretsKeys'>

/** Returns a source whose rows have readable secrets. @throws {UnreadableSecretError} while it is read */
export function decryptRows(keys: Keys, source: RowSource): RowSource {
  return {
    tables: source.tables,
    version: source.version,
    async *rows(table, where) {
      const places = listSecretPlaces(table.name)
      for await (const row of source.rows(table, where)) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column holds a secret as it is stored
        yield change(row, places, ({ place }, value) => decryptSecret(keys, place, value as SecretText))
      }
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  }
}

/** Returns rows of an archive as this installation stores them. */
export function encryptRows(keys: Keys, table: Table, rows: RawRow[]): RawRow[] {
  const places = listSecretPlaces(table.name)
  return rows.map((row) => change(row, places, ({ place }, value) => encryptSecret(keys, place, value)))
}

function change(row: RawRow, places: PlacedColumn[], to: (place: PlacedColumn, value: string) => string): RawRow {
  if (places.length === 0) return row
  const changed = { ...row }
  for (const place of places) {
    const value = row[place.column]
    if (typeof value === 'string') changed[place.column] = to(place, value)
  }
  return changed
}
