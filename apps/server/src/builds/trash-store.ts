import { lockApplication } from '../applications/find.ts'
import { releaseBlobs } from '../blobs/records.ts'
import type { Db } from '../db/open.ts'
import { trashedBuilds } from '../db/visible-builds.ts'
import type { BuildRecord } from './build.ts'
import { readRecords, selectBuilds } from './store.ts'
import { listPictureBlobs } from './write-store.ts'

/**
 * Moves builds to the trash, where only the trash shows them. A build that was pinned, deleted or moved meanwhile stays
 * as it is: the update of its row decides. The caller has locked the application.
 *
 * @returns the ids of the builds that were moved
 */
export async function moveToTrash(
  trx: Db,
  { applicationId, runId, ids, now }: { applicationId: number; runId: number; ids: number[]; now: number },
): Promise<number[]> {
  if (ids.length === 0) return []
  const moved = await trx
    .updateTable('builds')
    .set({ trashed_at: now, retention_run_id: runId })
    .where('application_id', '=', applicationId)
    .where('id', 'in', ids)
    .where('trashed_at', 'is', null)
    .where('pinned_at', 'is', null)
    .returning('id')
    .execute()
  await countBuilds(trx, applicationId, -moved.length)
  return moved.map(({ id }) => id)
}

/** Takes builds out of the trash. The caller has locked the application. Returns the ids of those that were in it. */
export async function takeFromTrash(trx: Db, applicationId: number, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const taken = await trx
    .updateTable('builds')
    .set({ trashed_at: null, retention_run_id: null })
    .where('application_id', '=', applicationId)
    .where('id', 'in', ids)
    .where('trashed_at', 'is not', null)
    .returning('id')
    .execute()
  await countBuilds(trx, applicationId, taken.length)
  return taken.map(({ id }) => id)
}

async function countBuilds(trx: Db, applicationId: number, change: number): Promise<void> {
  if (change === 0) return
  await trx
    .updateTable('applications')
    .set((update) => ({ build_count: update('build_count', '+', change) }))
    .where('id', '=', applicationId)
    .execute()
}

/** Finds a build in the trash, in any workspace. */
export async function findTrashedRecord(db: Db, id: number): Promise<BuildRecord | undefined> {
  const [record] = await readRecords(db, selectBuilds(db, trashedBuilds).where('builds.id', '=', id))
  return record
}

export async function listTrashedById(db: Db, ids: number[]): Promise<BuildRecord[]> {
  return readRecords(db, selectBuilds(db, trashedBuilds).where('builds.id', 'in', ids).orderBy('builds.id'))
}

export async function hasTrashedSecret(db: Db, secret: string): Promise<boolean> {
  const row = await db
    .selectFrom(trashedBuilds)
    .select('builds.id')
    .where('builds.secret', '=', secret)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists one slice of the trash of an application, the highest ids first. */
export async function listTrashedRecords(
  db: Db,
  applicationId: number,
  slice: { below: number | undefined; limit: number },
): Promise<BuildRecord[]> {
  let ids = db
    .selectFrom(trashedBuilds)
    .select('builds.id')
    .where('builds.application_id', '=', applicationId)
    .orderBy('builds.id', 'desc')
    .limit(slice.limit)
  if (slice.below !== undefined) ids = ids.where('builds.id', '<', slice.below)
  return readRecords(db, selectBuilds(db, trashedBuilds).where('builds.id', 'in', ids).orderBy('builds.id', 'desc'))
}

export async function countTrash(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom(trashedBuilds)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('builds.application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return count
}

/** Lists some builds that have been in the trash since a time or longer, of one application or of all. */
export async function listOldTrash(
  db: Db,
  { applicationId, before, limit }: { applicationId: number | null; before: number; limit: number },
): Promise<{ id: number; application_id: number }[]> {
  let query = db
    .selectFrom(trashedBuilds)
    .select(['builds.id', 'builds.application_id'])
    .where('builds.trashed_at', '<=', before)
  if (applicationId !== null) query = query.where('builds.application_id', '=', applicationId)
  return query.orderBy('builds.trashed_at').orderBy('builds.id').limit(limit).execute()
}

/** Deletes builds of the trash. Returns their number, and the keys of blobs that nothing refers to any more. */
export async function deleteTrash(
  trx: Db,
  applicationId: number,
  ids: number[],
): Promise<{ count: number; keys: string[] }> {
  await lockApplication(trx, applicationId)
  // Those of builds that are deleted or restored meanwhile are left out.
  const inTrash = await listTrashOf(trx, applicationId, ids)
  if (inTrash.length === 0) return { count: 0, keys: [] }
  const pictures = await listPictureBlobs(trx, inTrash)
  const deleted = await trx
    .deleteFrom('builds')
    .where('application_id', '=', applicationId)
    .where('id', 'in', inTrash)
    .returning(['blob_id', 'icon_blob_id'])
    .execute()
  const blobs = deleted.flatMap((build) => [build.blob_id, build.icon_blob_id])
  return { count: deleted.length, keys: await releaseBlobs(trx, [...blobs, ...pictures]) }
}

async function listTrashOf(trx: Db, applicationId: number, ids: number[]): Promise<number[]> {
  const builds = await trx
    .selectFrom(trashedBuilds)
    .select('builds.id')
    .where('builds.application_id', '=', applicationId)
    .where('builds.id', 'in', ids)
    .execute()
  return builds.map((build) => build.id)
}
