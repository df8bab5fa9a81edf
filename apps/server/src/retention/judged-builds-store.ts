import { setImmediate } from 'node:timers/promises'
import { bytewise } from '../db/bytewise.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { JudgedBuild } from './judge.ts'

/** A build with what is said of it when it goes. */
export interface ReadBuild extends JudgedBuild {
  shortVersion: string
  version: string
  /** Bytes of the binary. */
  size: number
  /** The stored files of the build. */
  files: { blobId: number; size: number; references: number }[]
}

/** How many builds one statement reads. The embedded database answers nothing else meanwhile, so pages are short. */
const pageSize = 500

function selectJudged(db: Db) {
  return db
    .selectFrom(visibleBuilds)
    .innerJoin('blobs as binary', 'binary.id', 'builds.blob_id')
    .leftJoin('blobs as icon', 'icon.id', 'builds.icon_blob_id')
    .select([
      'builds.id',
      'builds.short_version',
      'builds.version',
      'builds.source_branch',
      'builds.uploaded_at',
      'builds.pinned_at',
      'binary.id as binary_id',
      'binary.size as binary_size',
      'binary.reference_count as binary_references',
      'icon.id as icon_id',
      'icon.size as icon_size',
      'icon.reference_count as icon_references',
    ])
}

type JudgedRow = Awaited<ReturnType<ReturnType<typeof selectJudged>['execute']>>[number]

/** Reads the builds of an application, the highest ids first, page by page. */
export async function* readJudgedBuilds(db: Db, applicationId: number): AsyncGenerator<ReadBuild[]> {
  let below: number | undefined
  for (;;) {
    let query = selectJudged(db).where('builds.application_id', '=', applicationId)
    if (below !== undefined) query = query.where('builds.id', '<', below)
    const rows = await query.orderBy('builds.id', 'desc').limit(pageSize).execute()
    if (rows.length > 0) yield addGroups(db, rows)
    if (rows.length < pageSize) return
    below = rows.at(-1)?.id
    await setImmediate()
  }
}

/** Reads some builds of an application by their ids, those that are in the trash or deleted left out. */
export async function listJudgedBuilds(db: Db, applicationId: number, ids: number[]): Promise<ReadBuild[]> {
  if (ids.length === 0) return []
  const rows = await selectJudged(db)
    .where('builds.application_id', '=', applicationId)
    .where('builds.id', 'in', ids)
    .execute()
  return addGroups(db, rows)
}

async function addGroups(db: Db, rows: JudgedRow[]): Promise<ReadBuild[]> {
  const ids = rows.map(({ id }) => id)
  const groups = ids.length === 0 ? [] : await selectGroups(db, ids).execute()
  const groupsOf = Map.groupBy(groups, (group) => group.build_id)
  return rows.map((row) => ({
    id: row.id,
    branch: row.source_branch,
    uploadedAt: row.uploaded_at,
    isPinned: row.pinned_at !== null,
    shortVersion: row.short_version,
    version: row.version,
    size: row.binary_size,
    files: toFiles(row),
    groups: (groupsOf.get(row.id) ?? []).map((one) => ({ groupId: one.group_id, distributedAt: one.distributed_at })),
  }))
}

function toFiles(row: JudgedRow): ReadBuild['files'] {
  const binary = { blobId: row.binary_id, size: row.binary_size, references: row.binary_references }
  if (row.icon_id === null || row.icon_size === null || row.icon_references === null) return [binary]
  return [binary, { blobId: row.icon_id, size: row.icon_size, references: row.icon_references }]
}

function selectGroups(db: Db, ids: number[]) {
  return db.selectFrom('build_groups').select(['build_id', 'group_id', 'distributed_at']).where('build_id', 'in', ids)
}

/** Finds the id of the build that has `rank` builds of its branch above it. */
export async function findIdOfRank(
  db: Db,
  applicationId: number,
  branch: string | null,
  rank: number,
): Promise<number | undefined> {
  const column = bytewise(db, 'builds.source_branch')
  let query = db.selectFrom(visibleBuilds).select('builds.id').where('builds.application_id', '=', applicationId)
  query = branch === null ? query.where('builds.source_branch', 'is', null) : query.where(column, '=', branch)
  const row = await query.orderBy('builds.id', 'desc').limit(1).offset(rank).executeTakeFirst()
  return row?.id
}

export async function findNewestId(db: Db, applicationId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom(visibleBuilds)
    .select('builds.id')
    .where('builds.application_id', '=', applicationId)
    .orderBy('builds.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Finds the highest build of an application that a group has. */
export async function findNewestIdOfGroup(db: Db, applicationId: number, groupId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('build_groups')
    .innerJoin(visibleBuilds, 'builds.id', 'build_groups.build_id')
    .select('builds.id')
    .where('build_groups.group_id', '=', groupId)
    .where('builds.application_id', '=', applicationId)
    .orderBy('build_groups.build_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
