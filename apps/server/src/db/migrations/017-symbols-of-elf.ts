import type { Kysely } from 'kysely'

/** Adds what identifies ELF files and how much they say about their code. */
export async function addSymbolsOfElf(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('symbols_images').addColumn('code_id', 'text').execute()
  await db.schema
    .alterTable('symbols_images')
    .addColumn('detail_rank', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
