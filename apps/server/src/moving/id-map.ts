import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { embeddedIds, looseReferences, type Renumber } from './loose-references.ts'
import type { RawRow, Table } from './row-source.ts'

/**
 * Gives the rows of an archive their ids in this database. In an empty database they keep their ids. Otherwise one
 * number is added to all ids of a table, so that they follow the last existing id, and references are changed alike.
 * Blobs and accounts that exist already are used instead of a second copy.
 */
export class IdMap {
  readonly #db: Db
  readonly #hasNewIds: boolean
  readonly #distances = new Map<string, number>()
  /** The ids of existing blobs and accounts in this database, by their ids in the archive. */
  readonly #shared = { blobs: new Map<number, number>(), accounts: new Map<number, number>() }
  readonly #knownAccounts = new Set<number>()
  /** How often the inserted rows refer to each blob. */
  readonly #references = new Map<number, number>()

  private constructor(db: Db, hasNewIds: boolean) {
    this.#db = db
    this.#hasNewIds = hasNewIds
  }

  static async open(db: Db, tables: readonly Table[], hasNewIds: boolean): Promise<IdMap> {
    const map = new IdMap(db, hasNewIds)
    for (const table of tables.filter(hasOwnId)) {
      const name = sql.table(table.name)
      const { rows } = await sql<{ last: number | null }>`select max(id) as last from ${name}`.execute(db)
      map.#distances.set(table.name, rows[0]?.last ?? 0)
    }
    return map
  }

  /** Returns the rows as they are to be inserted, without rows that exist already. */
  async translate(table: Table, rows: RawRow[]): Promise<RawRow[]> {
    if (!this.#hasNewIds) return rows
    const translated: RawRow[] = []
    for (const row of rows) {
      const own = this.#renumberColumns(table, row)
      if (table.name === 'blobs' || table.name === 'accounts') {
        if (await this.#useShared(table.name, row)) continue
        // References are counted as rows are inserted, and an archive must not make anybody an administrator of this
        // server.
        if (table.name === 'blobs') own['reference_count'] = 0
        else own['is_server_admin'] = 0
      }
      const isOfKnownAccount = this.#knownAccounts.has(Number(own['account_id']))
      if (table.name === 'recovery_codes' && isOfKnownAccount) continue
      // An archive must not let anybody into an account of this server.
      if (table.name === 'identities' && (isOfKnownAccount || (await this.#hasIdentity(row)))) continue
      for (const { column, table: target } of table.references) {
        const id = own[column]
        if (target === 'blobs' && typeof id === 'number') this.#references.set(id, (this.#references.get(id) ?? 0) + 1)
      }
      translated.push(own)
    }
    return translated
  }

  /** Makes the database continue after the highest id that was inserted. */
  async finish(table: Table): Promise<void> {
    if (!hasOwnId(table) || this.#db.getExecutor().adapter.constructor.name !== 'PostgresAdapter') return
    const name = sql.lit(table.name)
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), (select max(id) from ${sql.table(table.name)}))
      where exists (select 1 from ${sql.table(table.name)})
        and pg_get_serial_sequence(${name}, 'id') is not null`.execute(this.#db)
  }

  /** Adds the references of the inserted rows to the counts of their blobs. */
  async countReferences(): Promise<void> {
    for (const [id, count] of [...this.#references].toSorted(([a], [b]) => a - b)) {
      await this.#db
        .updateTable('blobs')
        .set((update) => ({ reference_count: update('reference_count', '+', count) }))
        .where('id', '=', id)
        .execute()
    }
  }

  #renumberColumns(table: Table, row: RawRow): RawRow {
    const own = { ...row }
    if (hasOwnId(table)) own['id'] = this.#renumber(table.name, Number(row['id']))
    for (const { column, table: target, target: key } of table.references) {
      const id = row[column]
      // A reference by several columns, such as to a member, leads to ids that others of the row refer to as well.
      if (typeof id !== 'number' || key !== 'id') continue
      own[column] = this.#renumber(target, id)
    }
    for (const [column, target] of Object.entries(looseReferences[table.name] ?? {})) {
      const id = row[column]
      const name = typeof target === 'string' ? target : target(row)
      if (typeof id === 'number' && name !== undefined) own[column] = this.#renumber(name, id)
    }
    for (const [column, renumber] of Object.entries(embeddedIds[table.name] ?? {})) {
      const text = row[column]
      if (typeof text === 'string') own[column] = renumber(text, this.#renumber)
    }
    return own
  }

  readonly #renumber: Renumber = (table, id) => {
    if (id === 0) return 0
    if (table === 'accounts' || table === 'blobs') {
      const known = this.#shared[table].get(id)
      if (known !== undefined) return known
    }
    return id + (this.#distances.get(table) ?? 0)
  }

  /** Remembers the existing row for a row of the archive. Returns false when there is none. */
  async #useShared(table: 'blobs' | 'accounts', row: RawRow): Promise<boolean> {
    const id = table === 'blobs' ? await this.#lockBlob(row) : await this.#findAccount(row)
    if (id === undefined) return false
    this.#shared[table].set(Number(row['id']), id)
    if (table === 'accounts') this.#knownAccounts.add(id)
    return true
  }

  /** The update locks the row, so that nobody deletes the blob before its new references are counted. */
  async #lockBlob({ sha256 }: RawRow): Promise<number | undefined> {
    const found = await this.#db
      .updateTable('blobs')
      .set((update) => ({ reference_count: update.ref('reference_count') }))
      .where('sha256', '=', String(sha256))
      .returning('id')
      .executeTakeFirst()
    return found?.id
  }

  async #hasIdentity({ provider, issuer, subject }: RawRow): Promise<boolean> {
    const identity = await this.#db
      .selectFrom('identities')
      .select('id')
      .where('provider', '=', String(provider))
      .where('issuer', '=', String(issuer))
      .where('subject', '=', String(subject))
      .executeTakeFirst()
    return identity !== undefined
  }

  async #findAccount({ email_key: key }: RawRow): Promise<number | undefined> {
    const account = await this.#db
      .selectFrom('accounts')
      .select('id')
      .where('email_key', '=', String(key))
      .executeTakeFirst()
    return account?.id
  }
}

function hasOwnId({ key }: Table): boolean {
  return key.length === 1 && key[0] === 'id'
}
