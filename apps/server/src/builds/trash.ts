import { ApiError, type TrashedBuild } from '@fairlead/contract'
import { invariant } from '@fairlead/invariant'
import { removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { transact } from '../db/transact.ts'
import { toInstant } from '../http/instant.ts'
import { type BuildRecord, toBuild } from './build.ts'
import { updateBuildRow } from './write-store.ts'
import {
  countTrash,
  deleteTrash,
  findTrashedRecord,
  hasTrashedSecret,
  listOldTrash,
  listTrashedById,
  listTrashedRecords,
} from './trash-store.ts'

export { moveToTrash, takeFromTrash } from './trash-store.ts'

const day = 24 * 60 * 60 * 1000
const purgeBatch = 100
/** A list without a limit is complete up to this many builds. */
const listLimit = 10_000

/** Tells whether an install link belongs to a build in the trash. Text that cannot be a secret is not looked up. */
export async function isLinkOfTrash({ db }: Pick<AppContext, 'db'>, secret: string): Promise<boolean> {
  return /^[\w-]{22}$/.test(secret) && hasTrashedSecret(db, secret)
}

/** Finds a build in the trash of any workspace. The caller has to check what authorizes the request. */
export async function findTrashedBuild({ db }: Pick<AppContext, 'db'>, id: number): Promise<BuildRecord | undefined> {
  return Number.isSafeInteger(id) ? findTrashedRecord(db, id) : undefined
}

/** Lists those of some builds that are in the trash. */
export async function listTrashedBuilds({ db }: Pick<AppContext, 'db'>, ids: number[]): Promise<BuildRecord[]> {
  return listTrashedById(db, ids)
}

/** Returns one page of the trash of an application, the highest ids first. */
export async function listTrash(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  { cursor, limit = listLimit }: { cursor?: number | undefined; limit?: number | undefined },
): Promise<Paged<TrashedBuild>> {
  const records = await listTrashedRecords(db, applicationId, { below: cursor, limit: limit + 1 })
  const page = toPage(records, { limit }, await countTrash(db, applicationId))
  const lifetime = config.trashDays * day
  return {
    ...page,
    items: page.items.map((record) => {
      const { trashed_at: trashedAt } = record
      invariant(trashedAt !== null, 'a build of the trash says since when')
      return {
        ...toBuild(record, config.baseUrl),
        trashedDate: toInstant(trashedAt),
        purgeDate: toInstant(trashedAt + lifetime),
        retentionRunId: record.retention_run_id,
      }
    }),
  }
}

/**
 * Deletes what has been in the trash since a time or longer, in batches, with its bytes.
 *
 * @returns the number of deleted builds; when the signal is aborted, some may be left
 */
export async function purgeTrash(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  { applicationId, before }: { applicationId: number | null; before: number },
  signal: AbortSignal,
): Promise<number> {
  let purged = 0
  while (!signal.aborted) {
    const old = await listOldTrash(context.db, { applicationId, before, limit: purgeBatch })
    if (old.length === 0) break
    for (const [id, builds] of Map.groupBy(old, (build) => build.application_id)) {
      const ids = builds.map((build) => build.id)
      const { count, keys } = await context.blobs.reserve.delete(() =>
        transact(context.db, (trx) => deleteTrash(trx, id, ids)),
      )
      purged += count
      await removeKeys(context, keys)
    }
  }
  return purged
}

/**
 * Pins a build, so that no retention rule takes it, or lets it go again.
 *
 * @throws {ApiError} buildNotFound
 */
export async function pinBuild(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
  isPinned: boolean,
): Promise<void> {
  const pinned_at = isPinned ? Date.now() : null
  if (!(await updateBuildRow(db, workspaceId, id, { pinned_at }))) throw new ApiError('buildNotFound')
}
