import type { Page } from '@fairlead/contract'
import { insertRows } from '../db/insert-rows.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import { cutRows, countAll, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import type { CommitList } from '../commit-lists/commit-list.ts'
import { toReversedPath } from '../commit-lists/reversed-path.ts'

export async function findBuildCommits(db: Db, buildId: number): Promise<Row<'build_commits'> | undefined> {
  return db.selectFrom('build_commits').selectAll().where('build_id', '=', buildId).executeTakeFirst()
}

/** Whether a build exists. The transaction holds the lock of its application, so that it stays. */
export async function hasBuild(trx: Db, buildId: number): Promise<boolean> {
  const row = await trx.selectFrom(visibleBuilds).select('id').where('id', '=', buildId).executeTakeFirst()
  return row !== undefined
}

/** Replaces the commits of a build. */
export async function replaceCommitRows(
  trx: Db,
  buildId: number,
  list: CommitList,
  now: number,
): Promise<Row<'build_commits'>> {
  await trx.deleteFrom('commit_files').where('build_id', '=', buildId).execute()
  await trx.deleteFrom('commits').where('build_id', '=', buildId).execute()
  await trx.deleteFrom('build_commits').where('build_id', '=', buildId).execute()
  const files = list.commits.flatMap((commit, place) =>
    commit.files.map((file, number) => ({ place, number, ...file })),
  )
  const row = {
    build_id: buildId,
    base: list.base,
    head: list.head,
    is_complete: list.isComplete ? 1 : 0,
    is_truncated: list.isTruncated ? 1 : 0,
    commit_count: list.commits.length,
    file_count: files.length,
    received_at: now,
    is_of_release: 0,
  }
  await trx.insertInto('build_commits').values(row).execute()
  await insertRows(
    trx,
    'commits',
    list.commits.map(({ hash, committedAt, subject, author, fileCount }, place) => ({
      build_id: buildId,
      place: place + 1,
      hash,
      committed_at: committedAt,
      subject,
      author_name: author?.name ?? null,
      author_email: author?.email ?? null,
      file_count: fileCount,
    })),
  )
  await insertRows(
    trx,
    'commit_files',
    files.map(({ place, number, path, status, previousPath, hunks }) => ({
      build_id: buildId,
      place: place + 1,
      number: number + 1,
      path,
      reversed_path: toReversedPath(path),
      status,
      previous_path: previousPath,
      reversed_previous_path: previousPath === null ? null : toReversedPath(previousPath),
      hunks: hunks === null ? null : toJsonText(hunks),
    })),
  )
  return row
}

/** Lists the commits of a build, newest first. The cursor is the place of the last one of a page. */
export async function listCommitRows(db: Db, buildId: number, page: Page): Promise<Paged<Row<'commits'>>> {
  const { cursor, limit } = page
  const all = db.selectFrom('commits').where('build_id', '=', buildId)
  let query = all.selectAll().orderBy('place')
  if (cursor !== undefined) query = query.where('place', '>', cursor)
  return cutRows({
    rows: await query.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ place }) => String(place),
    count: all.select(countAll),
  })
}

/** Lists the files of the commits at these places of a build. */
export async function listFilesOf(db: Db, buildId: number, places: readonly number[]): Promise<Row<'commit_files'>[]> {
  if (places.length === 0) return []
  return db
    .selectFrom('commit_files')
    .selectAll()
    .where('build_id', '=', buildId)
    .where('place', '>=', Math.min(...places))
    .where('place', '<=', Math.max(...places))
    .orderBy('place')
    .orderBy('number')
    .execute()
}
