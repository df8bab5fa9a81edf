import type { Insertable, Updateable } from 'kysely'
import { lockApplication } from '../applications/find.ts'
import { releaseBlobs } from '../blobs/records.ts'
import { insertInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { trashedBuilds, visibleBuilds } from '../db/visible-builds.ts'
import { toSearchText } from '../db/search-text.ts'

/** Inserts a build with the next number of its application. */
export async function insertBuild(trx: Db, values: Omit<Insertable<Schema['builds']>, 'number'>): Promise<number> {
  const { number } = await trx
    .updateTable('applications')
    .set((update) => ({
      build_count: update('build_count', '+', 1),
      last_build_number: update('last_build_number', '+', 1),
    }))
    .where('id', '=', values.application_id)
    .returning('last_build_number as number')
    .executeTakeFirstOrThrow()
  const { id } = await trx
    .insertInto('builds')
    .values({ ...values, number })
    .returning('id')
    .executeTakeFirstOrThrow()
  const searched = { source_branch: null, source_commit: null, release_notes: null, ...values }
  await trx
    .insertInto('build_search')
    .values({ build_id: id, text: toSearchText(searched) })
    .execute()
  return id
}

/** Inserts the images that a binary consists of; symbols are matched to the build by their UUIDs. */
export async function insertImages(
  trx: Db,
  buildId: number,
  images: { name: string; uuid: string; architecture: string | null }[],
): Promise<void> {
  const rows = images.map(({ name, uuid, architecture }) => ({ build_id: buildId, name, uuid, architecture }))
  await insertInBatches(rows, (batch) => trx.insertInto('build_images').values(batch).execute())
}

/** Keeps which devices the profile of a build lists. */
export async function insertProfile(trx: Db, values: Insertable<Schema['build_profiles']>): Promise<void> {
  await trx.insertInto('build_profiles').values(values).execute()
}

/** Returns whether the build still exists. Release notes are set with `updateReleaseNotes`. */
export async function updateBuildRow(
  db: Db,
  workspaceId: number,
  id: number,
  values: Omit<Updateable<Schema['builds']>, 'release_notes'>,
): Promise<boolean> {
  const updated = await db
    .updateTable('builds')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('trashed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Sets the release notes of a build, and its searched text. Returns whether the build still exists. */
export async function updateReleaseNotes(
  trx: Db,
  workspaceId: number,
  id: number,
  releaseNotes: string | null,
): Promise<boolean> {
  const updated = await trx
    .updateTable('builds')
    .set({ release_notes: releaseNotes })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('trashed_at', 'is', null)
    .returning(['short_version', 'version', 'name', 'file_name', 'source_branch', 'source_commit', 'release_notes'])
    .executeTakeFirst()
  if (!updated) return false
  const text = toSearchText(updated)
  await trx.updateTable('build_search').set({ text }).where('build_id', '=', id).execute()
  return true
}

/**
 * Deletes a build row. Returns the keys of blobs that nothing refers to any more, or undefined when another request has
 * already deleted the build.
 */
export async function deleteBuildRow(trx: Db, workspaceId: number, id: number): Promise<string[] | undefined> {
  if (!(await lockApplicationOf(trx, workspaceId, id))) return undefined
  const pictures = await listPictureBlobs(trx, [id])
  const deleted = await trx
    .deleteFrom('builds')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('trashed_at', 'is', null)
    .returning(['application_id', 'blob_id', 'icon_blob_id'])
    .executeTakeFirst()
  if (!deleted) return undefined
  await trx
    .updateTable('applications')
    .set((update) => ({ build_count: update('build_count', '-', 1) }))
    .where('id', '=', deleted.application_id)
    .execute()
  return releaseBlobs(trx, [deleted.blob_id, deleted.icon_blob_id, ...pictures])
}

/**
 * Lists the blobs of the pictures that came with feedback to builds, one for each picture. They go with the builds, and
 * the locked application keeps others from being added or deleted meanwhile.
 */
export async function listPictureBlobs(trx: Db, buildIds: number[]): Promise<number[]> {
  const pictures = await trx
    .selectFrom('feedback_pictures')
    .innerJoin('feedback', 'feedback.id', 'feedback_pictures.feedback_id')
    .select('feedback_pictures.blob_id')
    .where('feedback.build_id', 'in', buildIds)
    .execute()
  return pictures.map((picture) => picture.blob_id)
}

/** Locks the application of a build until the transaction ends. Returns whether there is such a build. */
async function lockApplicationOf(trx: Db, workspaceId: number, id: number): Promise<boolean> {
  const build = await trx
    .selectFrom('builds')
    .select('application_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return build !== undefined && (await lockApplication(trx, build.application_id)) !== undefined
}

/** Finds the build that an earlier upload with this `Idempotency-Key` created. */
export async function findIdempotentBuild(
  db: Db,
  workspaceId: number,
  key: string,
): Promise<Row<'idempotency_keys'> | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .innerJoin(visibleBuilds, 'builds.id', 'idempotency_keys.build_id')
    .selectAll('idempotency_keys')
    .where('idempotency_keys.workspace_id', '=', workspaceId)
    .where('idempotency_keys.key', '=', key)
    .executeTakeFirst()
}

export async function insertIdempotencyKey(trx: Db, values: Insertable<Schema['idempotency_keys']>): Promise<void> {
  // The build of an earlier upload with this key may be in the trash, where it is as deleted.
  await trx
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', values.workspace_id)
    .where('key', '=', values.key)
    .where('build_id', 'in', (select) => select.selectFrom(trashedBuilds).select('builds.id'))
    .execute()
  await trx.insertInto('idempotency_keys').values(values).execute()
}

/** Reads how long the install links of new builds are valid, in milliseconds. */
export async function readLinkLifetime(trx: Db, workspaceId: number): Promise<number> {
  const { link_lifetime_ms } = await trx
    .selectFrom('workspaces')
    .select('link_lifetime_ms')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return link_lifetime_ms
}
