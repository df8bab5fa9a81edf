import { sql } from 'kysely'
import { toReversedPath } from '../commit-lists/reversed-path.ts'
import type { CommitList } from '../commit-lists/commit-list.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { visibleBuilds } from '../db/visible-builds.ts'

/** Builds come soon before or after their release, so the lists of older releases are not needed any more. */
const maxLists = 20
/** The newest builds of a release that get its commits. A release has few. */
const maxBuilds = 10

type List = Row<'release_commit_lists'>

/** The version of a build as its file says it. */
export type VersionOfBuild = Pick<Row<'builds'>, 'application_id' | 'short_version' | 'version'>

export async function deleteReleaseList(trx: Db, releaseId: number): Promise<void> {
  await trx.deleteFrom('release_commit_files').where('release_id', '=', releaseId).execute()
  await trx.deleteFrom('release_commits').where('release_id', '=', releaseId).execute()
  await trx.deleteFrom('release_commit_lists').where('release_id', '=', releaseId).execute()
}

export async function insertReleaseList(
  trx: Db,
  of: Pick<List, 'release_id' | 'application_id' | 'short_version' | 'version'>,
  list: CommitList,
  now: number,
): Promise<void> {
  const { release_id } = of
  const files = list.commits.flatMap((commit, place) =>
    commit.files.map(({ path, status }, number) => ({
      release_id,
      place: place + 1,
      number: number + 1,
      path,
      reversed_path: toReversedPath(path),
      status,
    })),
  )
  const row = {
    ...of,
    head: list.head,
    is_truncated: list.isTruncated ? 1 : 0,
    commit_count: list.commits.length,
    file_count: files.length,
    received_at: now,
  }
  await trx.insertInto('release_commit_lists').values(row).execute()
  const commits = list.commits.map(({ hash, committedAt, fileCount }, place) => ({
    release_id,
    place: place + 1,
    hash,
    committed_at: committedAt,
    file_count: fileCount,
  }))
  await insertRows(trx, 'release_commits', commits)
  await insertRows(trx, 'release_commit_files', files)
  const old = await trx
    .selectFrom('release_commit_lists')
    .select('release_id')
    .where('application_id', '=', of.application_id)
    .orderBy('received_at', 'desc')
    .orderBy('release_id', 'desc')
    .offset(maxLists)
    .limit(maxLists)
    .execute()
  for (const { release_id: id } of old) await deleteReleaseList(trx, id)
}

/** The list of the release that a build belongs to; the newest if several releases have this version. */
export async function findNewestList(trx: Db, build: VersionOfBuild): Promise<List | undefined> {
  return trx
    .selectFrom('release_commit_lists')
    .selectAll()
    .where('application_id', '=', build.application_id)
    .where('version', '=', build.version)
    .where((where) => where.or([where('short_version', 'is', null), where('short_version', '=', build.short_version)]))
    .orderBy('received_at', 'desc')
    .orderBy('release_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest builds of a release that CI has sent no commits for. */
export async function listBuildsForRelease(
  trx: Db,
  release: Pick<List, 'application_id' | 'short_version' | 'version'>,
): Promise<number[]> {
  let query = trx
    .selectFrom(visibleBuilds)
    .select('builds.id')
    .where('builds.application_id', '=', release.application_id)
    .where('builds.version', '=', release.version)
  if (release.short_version !== null) query = query.where('builds.short_version', '=', release.short_version)
  const rows = await query
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('build_commits')
            .select('build_commits.build_id')
            .whereRef('build_commits.build_id', '=', 'builds.id')
            .where('build_commits.is_of_release', '=', 0),
        ),
      ),
    )
    .orderBy('builds.id', 'desc')
    .limit(maxBuilds)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes what builds have of a release. */
export async function deleteCopies(trx: Db, buildIds: readonly number[]): Promise<void> {
  if (buildIds.length === 0) return
  await trx.deleteFrom('commit_files').where('build_id', 'in', buildIds).execute()
  await trx.deleteFrom('commits').where('build_id', 'in', buildIds).execute()
  await trx.deleteFrom('build_commits').where('build_id', 'in', buildIds).execute()
}

/** Copies the commits of a release to a build that has none. They end somewhere, so the list is not complete. */
export async function copyToBuild(trx: Db, releaseId: number, buildId: number): Promise<void> {
  await sql`
    insert into build_commits (build_id, base, head, is_complete, is_truncated, commit_count, file_count, received_at,
      is_of_release)
    select ${sql.lit(buildId)}, null, head, 0, is_truncated, commit_count, file_count, received_at, 1
    from release_commit_lists where release_id = ${releaseId}`.execute(trx)
  await sql`
    insert into commits (build_id, place, hash, committed_at, file_count)
    select ${sql.lit(buildId)}, place, hash, committed_at, file_count
    from release_commits where release_id = ${releaseId}`.execute(trx)
  await sql`
    insert into commit_files (build_id, place, number, path, reversed_path, status)
    select ${sql.lit(buildId)}, place, number, path, reversed_path, status
    from release_commit_files where release_id = ${releaseId}`.execute(trx)
}
