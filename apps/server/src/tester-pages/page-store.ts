import type { Platform } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { visibleBuilds } from '../db/visible-builds.ts'

/** A build as a tester's page shows it. */
export interface ListedBuild extends Pick<
  Row<'builds'>,
  | 'id'
  | 'secret'
  | 'name'
  | 'short_version'
  | 'version'
  | 'uploaded_at'
  | 'application_id'
  | 'icon_blob_id'
  | 'link_password_hash'
> {
  platform: Platform
  size: number
  /** Null for a build that no page of the tester showed yet. */
  opened_at: number | null
  application_name: string
}

/** Lists the builds that were distributed to a tester's groups and whose links work, newest first. */
export async function selectBuildsOf(
  db: Db,
  tester: { id: number; workspace_id: number },
  { now, limit }: { now: number; limit: number },
): Promise<ListedBuild[]> {
  return db
    .selectFrom(visibleBuilds)
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .innerJoin('blobs', 'blobs.id', 'builds.blob_id')
    .leftJoin('build_testers', (join) =>
      join.onRef('build_testers.build_id', '=', 'builds.id').on('build_testers.tester_id', '=', tester.id),
    )
    .select([
      'builds.id',
      'builds.secret',
      'builds.name',
      'builds.short_version',
      'builds.version',
      'blobs.size',
      'builds.uploaded_at',
      'builds.application_id',
      'builds.icon_blob_id',
      'builds.link_password_hash',
      'build_testers.opened_at',
      'applications.platform',
      'applications.name as application_name',
    ])
    .where('builds.id', 'in', (query) =>
      query
        .selectFrom('group_testers')
        .innerJoin('build_groups', 'build_groups.group_id', 'group_testers.group_id')
        .select('build_groups.build_id')
        .where('group_testers.tester_id', '=', tester.id),
    )
    .where('builds.workspace_id', '=', tester.workspace_id)
    .where('builds.expires_at', '>', now)
    .where('builds.link_revoked_at', 'is', null)
    .orderBy('builds.id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists the ids of builds that a tester installed on a device. */
export async function selectInstalledIds(db: Db, testerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('installs')
    .select('build_id')
    .distinct()
    .where('tester_id', '=', testerId)
    .where('kind', '=', 'install')
    .execute()
  return rows.map(({ build_id }) => build_id)
}
