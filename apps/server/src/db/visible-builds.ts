import { expressionBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

const selectAll = () => expressionBuilder<Schema>().selectFrom('builds').selectAll()

/**
 * The builds that are not in the trash, under the name of their table: a build in the trash is as deleted for
 * everything but the trash itself. Every query that looks for builds starts from here; both databases read this as a
 * condition of the query around it, which the partial indexes of builds fit.
 */
export const visibleBuilds = selectAll().where('trashed_at', 'is', null).as('builds')

/** The builds in the trash, likewise. */
export const trashedBuilds = selectAll().where('trashed_at', 'is not', null).as('builds')

/**
 * The builds that are not in the trash, each with a text that every update of its row changes. PostgreSQL only: `xmin`
 * is the transaction that wrote the row.
 */
export const versionedBuilds = selectAll()
  .select(sql<string>`xmin::text`.as('row_version'))
  .where('trashed_at', 'is', null)
  .as('builds')
