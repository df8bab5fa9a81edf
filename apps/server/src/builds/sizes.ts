import type { BuildSize } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import { listNewestSizes } from './size-store.ts'

/** Lists the sizes of the newest builds, oldest first. */
export async function listBuildSizes(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  limit: number,
): Promise<BuildSize[]> {
  const rows = await listNewestSizes(db, applicationId, limit)
  return rows.toReversed().map((row) => ({
    buildId: row.id,
    shortVersion: row.short_version,
    version: row.version,
    size: row.size,
    uploadedDate: toInstant(row.uploaded_at),
  }))
}
