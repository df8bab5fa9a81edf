import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'

/** Lists the newest builds of an application with their sizes, newest first. */
export async function listNewestSizes(db: Db, applicationId: number, limit: number) {
  return db
    .selectFrom(visibleBuilds)
    .innerJoin('blobs', 'blobs.id', 'builds.blob_id')
    .select(['builds.id', 'builds.short_version', 'builds.version', 'builds.uploaded_at', 'blobs.size'])
    .where('builds.application_id', '=', applicationId)
    .orderBy('builds.id', 'desc')
    .limit(limit)
    .execute()
}
