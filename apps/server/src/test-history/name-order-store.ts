/**
 * The order of tests by suite, class and name, byte by byte, and by id where these are equal. A page begins behind a
 * test whose id is its cursor, because its names are too long for one.
 */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'

/** The place of a test in the order. */
export interface PlaceByName {
  suite: string
  class: string
  name: string
  id: number
}

/** The columns of the order, in the words of the index `tests_named`, which SQLite would not use for others. */
export const suiteOfTest = sql<string>`coalesce(suite, '')`
export const classOfTest = sql<string>`coalesce(class, '')`
export const nameOfTest = sql<string>`name`

/** Says where a test stands, also one that was merged meanwhile. */
export function findPlaceByName(db: Db, applicationId: number, testId: number): Promise<PlaceByName | undefined> {
  return db
    .selectFrom('tests')
    .select([suiteOfTest.as('suite'), classOfTest.as('class'), 'name', 'id'])
    .where('application_id', '=', applicationId)
    .where('id', '=', testId)
    .executeTakeFirst()
}

/** Tests that follow each other in the order. */
export interface RangeByName {
  isIn: RawBuilder<SqlBool>
  /** The columns that the tests of the range differ by, and in whose order they come. */
  columns: RawBuilder<unknown>[]
}

const idOfTest = sql<number>`tests.id`
const allColumns = [suiteOfTest, classOfTest, nameOfTest, idOfTest]

/**
 * The ranges of tests behind a place, or else all tests. PostgreSQL compares rows. SQLite finds the beginning of a
 * range in its index only if all columns but the last one are compared with `=`, and reads it in order only if those
 * are not among the columns of the order.
 */
export function toRanges(db: Db, behind: PlaceByName | undefined): RangeByName[] {
  if (behind === undefined) return [{ isIn: sql<SqlBool>`1 = 1`, columns: allColumns }]
  const { suite, class: className, name, id } = behind
  if (isPostgres(db)) {
    const isIn = sql<SqlBool>`(${sql.join(allColumns)}) > (${suite}, ${className}, ${name}, ${id})`
    return [{ isIn, columns: allColumns }]
  }
  const sameSuite = sql<SqlBool>`${suiteOfTest} = ${suite}`
  const sameClass = sql<SqlBool>`${sameSuite} and ${classOfTest} = ${className}`
  const sameName = sql<SqlBool>`${sameClass} and ${nameOfTest} = ${name}`
  return [
    { isIn: sql<SqlBool>`${sameName} and ${idOfTest} > ${id}`, columns: allColumns.slice(3) },
    { isIn: sql<SqlBool>`${sameClass} and ${nameOfTest} > ${name}`, columns: allColumns.slice(2) },
    { isIn: sql<SqlBool>`${sameSuite} and ${classOfTest} > ${className}`, columns: allColumns.slice(1) },
    { isIn: sql<SqlBool>`${suiteOfTest} > ${suite}`, columns: allColumns },
  ]
}

/** Compares the places of two tests as the databases do. */
export function comparePlaces(a: PlaceByName, b: PlaceByName): number {
  return compareTexts(a.suite, b.suite) || compareTexts(a.class, b.class) || compareTexts(a.name, b.name) || a.id - b.id
}

/** UTF-16 has another order than UTF-8 only behind U+D7FF, and a search compares with no order of the database. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
