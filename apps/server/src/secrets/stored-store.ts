import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { SecretText } from '../db/secret-text.ts'
import type { PlacedColumn } from './places.ts'

interface StoredSecret {
  id: number
  value: SecretText
}

/** Lists secrets of a column that are not encrypted with a key, or all that are encrypted, by id. */
export async function listOtherSecrets(
  db: Db,
  { table, column }: PlacedColumn,
  { keyId, above, limit }: { keyId: string | undefined; above: number; limit: number },
): Promise<StoredSecret[]> {
  const value = sql.ref(column)
  const isOther =
    keyId === undefined ? sql`${value} like 'aes-256-gcm:%'` : sql`${value} not like ${`aes-256-gcm:${keyId}:%`}`
  const { rows } = await sql<StoredSecret>`
    select id, ${value} as value from ${sql.table(table)}
    where id > ${above} and ${value} is not null and ${isOther}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Replaces a secret, unless it was changed meanwhile. */
export async function replaceSecret(
  db: Db,
  { table, column, id, value }: Pick<PlacedColumn, 'table' | 'column'> & StoredSecret,
  fresh: SecretText,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
    where id = ${id} and ${sql.ref(column)} = ${value}`.execute(db)
}
