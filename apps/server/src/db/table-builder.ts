import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from './engine.ts'

type ColumnRule = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

export const required: ColumnRule = (column) => column.notNull()
export const unique: ColumnRule = (column) => column.notNull().unique()
export const zero: ColumnRule = (column) => column.notNull().defaultTo(0)

/** The row is deleted with the row that it refers to. */
export const of =
  (target: string): ColumnRule =>
  (column) =>
    column.notNull().references(target).onDelete('cascade')

/** The reference becomes null when the other row is deleted. */
export const maybe =
  (target: string): ColumnRule =>
  (column) =>
    column.references(target).onDelete('set null')

/** The other row cannot be deleted while this one refers to it. */
export const kept =
  (target: string): ColumnRule =>
  (column) =>
    column.notNull().references(target)

/** Creates tables and indexes in migrations, on both engines. */
export function createTableBuilder(db: Kysely<unknown>, engine: Engine) {
  const table = (name: string) => db.schema.createTable(name)
  return {
    table,
    /** Begins a table with an `id` column that numbers its rows. */
    withId: (name: string) =>
      table(name).addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
        engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
      ),
    /** Begins an index, which is named after its table and columns. */
    index: (on: string, columns: string[]) =>
      db.schema
        .createIndex(`${on}_by_${columns.join('_')}`)
        .on(on)
        .columns(columns),
  }
}
