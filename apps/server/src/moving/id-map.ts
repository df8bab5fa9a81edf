import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { RawRow, Table } from './row-source.ts'

/**
 * Gives the rows of an archive their ids in this database. Into an empty one they keep theirs. Otherwise every row gets
 * the next free id and references follow; blobs and accounts that are here already are used instead of a second copy.
 */
export class IdMap {
  readonly #db: Db
  readonly #hasNewIds: boolean
  readonly #tables: ReadonlyMap<string, Table>
  readonly #next = new Map<string, number>()
  readonly #ids = new Map<string, Map<number, number>>()

  constructor(db: Db, tables: readonly Table[], hasNewIds: boolean) {
    this.#db = db
    this.#hasNewIds = hasNewIds
    this.#tables = new Map(tables.map((table) => [table.name, table]))
  }

  /** The rows as they are to be inserted. Rows that are here already are left out. */
  async translate(table: Table, rows: RawRow[]): Promise<RawRow[]> {
    if (!this.#hasNewIds) return rows
    const translated: RawRow[] = []
    for (const row of rows) {
      const own = { ...row }
      for (const { column, table: parent } of table.references) {
        const id = own[column]
        if (typeof id === 'number' && this.#tables.has(parent)) own[column] = this.#find(parent, id)
      }
      if (hasOwnId(table) && typeof own['id'] === 'number') {
        const known = await this.#findEqual(table.name, row)
        const id = known ?? (await this.#takeNext(table.name))
        this.#idsOf(table.name).set(own['id'], id)
        if (known !== undefined) continue
        own['id'] = id
      }
      translated.push(own)
    }
    return translated
  }

  /** Lets the database go on with the ids behind those that were given. */
  async finish(table: Table): Promise<void> {
    if (!hasOwnId(table) || this.#db.getExecutor().adapter.constructor.name !== 'PostgresAdapter') return
    const name = sql.lit(table.name)
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), (select max(id) from ${sql.table(table.name)}))
      where exists (select 1 from ${sql.table(table.name)})
        and pg_get_serial_sequence(${name}, 'id') is not null`.execute(this.#db)
  }

  #find(table: string, id: number): number {
    const found = this.#idsOf(table).get(id)
    if (found === undefined) throw new Error(`The archive refers to ${table} ${id}, which it does not hold.`)
    return found
  }

  #idsOf(table: string): Map<number, number> {
    let ids = this.#ids.get(table)
    if (!ids) this.#ids.set(table, (ids = new Map<number, number>()))
    return ids
  }

  async #takeNext(table: string): Promise<number> {
    let next = this.#next.get(table)
    if (next === undefined) {
      const { rows } = await sql<{ last: number | null }>`select max(id) as last from ${sql.table(table)}`.execute(
        this.#db,
      )
      next = (rows[0]?.last ?? 0) + 1
    }
    this.#next.set(table, next + 1)
    return next
  }

  async #findEqual(table: string, row: RawRow): Promise<number | undefined> {
    if (table === 'blobs') {
      const found = await this.#db
        .updateTable('blobs')
        .set((update) => ({ reference_count: update('reference_count', '+', Number(row['reference_count'])) }))
        .where('sha256', '=', String(row['sha256']))
        .returning('id')
        .executeTakeFirst()
      return found?.id
    }
    if (table !== 'accounts') return undefined
    const account = await this.#db
      .selectFrom('accounts')
      .select('id')
      .where('email_key', '=', String(row['email_key']))
      .executeTakeFirst()
    return account?.id
  }
}

function hasOwnId({ key }: Table): boolean {
  return key.length === 1 && key[0] === 'id'
}
