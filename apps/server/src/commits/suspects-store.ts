import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { bytewise } from '../db/bytewise.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import { toPrefixEnd } from '../db/prefix-end.ts'
import type { Row, Schema } from '../db/schema.ts'

/** The most files of one build that are compared with the frames of a failure. */
const maxFiles = 2000
/** The most files of one build whose folders are compared. */
const maxScanned = 5000

type Where = ExpressionBuilder<Schema, 'commit_files'>

/** Lists the files of a build's commits that have one of these names, now or before they were renamed. */
export async function listFilesNamed(
  db: Db,
  buildId: number,
  fileNames: readonly string[],
): Promise<Row<'commit_files'>[]> {
  if (fileNames.length === 0) return []
  const select = (column: 'reversed_path' | 'reversed_previous_path') =>
    db
      .selectFrom('commit_files')
      .selectAll()
      .where('build_id', '=', buildId)
      .where((where) => where.or(fileNames.map((name) => beginsWith(db, where, column, `${name}/`))))
      .orderBy('place')
      .orderBy('number')
      .limit(maxFiles)
      .execute()
  const [now, before] = [await select('reversed_path'), await select('reversed_previous_path')]
  const known = new Set(now.map(({ place, number }) => `${place} ${number}`))
  return [...now, ...before.filter(({ place, number }) => !known.has(`${place} ${number}`))]
}

/** A range that an index finds, because both databases compare the column byte by byte. */
function beginsWith(
  db: Db,
  where: Where,
  column: 'reversed_path' | 'reversed_previous_path',
  prefix: string,
): Expression<SqlBool> {
  const text = bytewise(db, column)
  const end = toPrefixEnd(prefix)
  const from = where(text, '>=', prefix)
  return end === undefined ? from : where.and([from, where(text, '<', end)])
}

/** Lists files of a build's commits, newest first, to compare their folders. */
export async function listSomeFiles(db: Db, buildId: number): Promise<Row<'commit_files'>[]> {
  return db
    .selectFrom('commit_files')
    .selectAll()
    .where('build_id', '=', buildId)
    .orderBy('place')
    .orderBy('number')
    .limit(maxScanned)
    .execute()
}

export async function listCommitsAt(db: Db, buildId: number, places: readonly number[]): Promise<Row<'commits'>[]> {
  if (places.length === 0) return []
  const known = new Set(places)
  const rows = await db
    .selectFrom('commits')
    .selectAll()
    .where('build_id', '=', buildId)
    .where('place', '>=', Math.min(...places))
    .where('place', '<=', Math.max(...places))
    .orderBy('place')
    .execute()
  return rows.filter(({ place }) => known.has(place))
}

/** Which of these commits came with one of the builds before, of the same application. */
export async function listOlderCommits(
  db: Db,
  applicationId: number,
  buildId: number,
  hashes: readonly string[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const older = db
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '<', buildId)
    .orderBy('id', 'desc')
    .limit(maxOlder)
  const rows = await db
    .selectFrom('commits')
    .select('hash')
    .distinct()
    .where('build_id', 'in', older)
    .where('hash', 'in', hashes)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

const maxOlder = 50

/** The files of an application's newest builds, up to one of them, whose paths end in this name. */
export async function listKnownPaths(
  db: Db,
  applicationId: number,
  lastBuildId: number | null,
  fileNames: readonly string[],
): Promise<Pick<Row<'commit_files'>, 'path' | 'build_id' | 'place'>[]> {
  if (fileNames.length === 0) return []
  let builds = db.selectFrom(visibleBuilds).select('id').where('application_id', '=', applicationId)
  if (lastBuildId !== null) builds = builds.where('id', '<=', lastBuildId)
  return db
    .selectFrom('commit_files')
    .select(['path', 'build_id', 'place'])
    .where('build_id', 'in', builds.orderBy('id', 'desc').limit(maxBuilds))
    .where((where) => where.or(fileNames.map((name) => beginsWith(db, where, 'reversed_path', `${name}/`))))
    .where('status', '!=', 'D')
    .orderBy('build_id', 'desc')
    .orderBy('place')
    .limit(maxFiles)
    .execute()
}

const maxBuilds = 200
