import type { Page } from '@fairlead/contract'
import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, type Paged, toPage } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'

/** The newest releases of an application that are kept, and the newest deploys of a release. */
const maxReleases = 1000
const maxDeploys = 100

export interface ReleaseValues {
  url?: string | null | undefined
  commit_sha?: string | null | undefined
  released_at?: number | null | undefined
  is_archived?: number | undefined
}

/** Inserts a release, or changes what is given of a known one. */
export async function saveDeclaredRelease(
  trx: Db,
  applicationId: number,
  version: string,
  values: ReleaseValues,
): Promise<Row<'declared_releases'>> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const saved = await trx
    .insertInto('declared_releases')
    .values({ application_id: applicationId, version, created_at: Date.now(), ...given })
    .onConflict((conflict) => conflict.columns(['application_id', 'version']).doUpdateSet({ version, ...given }))
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx
    .deleteFrom('declared_releases')
    .where('application_id', '=', applicationId)
    .where('id', '<=', (select) =>
      select
        .selectFrom('declared_releases as older')
        .select('older.id')
        .where('older.application_id', '=', applicationId)
        .orderBy('older.id', 'desc')
        .offset(maxReleases)
        .limit(1),
    )
    .execute()
  return saved
}

export async function insertDeploy(
  trx: Db,
  values: Pick<Row<'release_deploys'>, 'release_id' | 'environment' | 'name' | 'url' | 'started_at' | 'finished_at'>,
): Promise<Row<'release_deploys'>> {
  const deploy = await trx.insertInto('release_deploys').values(values).returningAll().executeTakeFirstOrThrow()
  await trx
    .deleteFrom('release_deploys')
    .where('release_id', '=', values.release_id)
    .where('id', '<=', (select) =>
      select
        .selectFrom('release_deploys as older')
        .select('older.id')
        .where('older.release_id', '=', values.release_id)
        .orderBy('older.id', 'desc')
        .offset(maxDeploys)
        .limit(1),
    )
    .execute()
  return deploy
}

export async function listDeclaredReleases(
  db: Db,
  applicationId: number,
  page: Page,
): Promise<Paged<Row<'declared_releases'>>> {
  const of = db.selectFrom('declared_releases').where('application_id', '=', applicationId)
  let query = of.selectAll().orderBy('id', 'desc')
  if (page.cursor !== undefined) query = query.where('id', '<', page.cursor)
  if (page.limit === undefined) return { items: await query.execute() }
  const { count } = await of.select(countAll).executeTakeFirstOrThrow()
  return toPage(await query.limit(page.limit + 1).execute(), page, count)
}

/** The releases of this version in a workspace, one for each application that has it. */
export async function findDeclaredReleases(
  db: Db,
  workspaceId: number,
  version: string,
): Promise<Row<'declared_releases'>[]> {
  return db
    .selectFrom('declared_releases')
    .innerJoin('applications', 'applications.id', 'declared_releases.application_id')
    .selectAll('declared_releases')
    .where('applications.workspace_id', '=', workspaceId)
    .where('declared_releases.version', '=', version)
    .orderBy('declared_releases.id')
    .execute()
}

/** The newest releases of a workspace. */
export async function listReleasesOfWorkspace(
  db: Db,
  workspaceId: number,
  limit: number,
): Promise<Row<'declared_releases'>[]> {
  return db
    .selectFrom('declared_releases')
    .innerJoin('applications', 'applications.id', 'declared_releases.application_id')
    .selectAll('declared_releases')
    .where('applications.workspace_id', '=', workspaceId)
    .orderBy('declared_releases.id', 'desc')
    .limit(limit)
    .execute()
}

export async function listAliases(db: Db, applicationIds: number[]): Promise<Map<number, string>> {
  const rows = await selectInBatches([...new Set(applicationIds)], (batch) =>
    db.selectFrom('applications').select(['id', 'alias']).where('id', 'in', batch).execute(),
  )
  return new Map(rows.map(({ id, alias }) => [id, alias]))
}

export async function deleteDeclaredReleases(db: Db, ids: number[]): Promise<void> {
  await db.deleteFrom('declared_releases').where('id', 'in', ids).execute()
}

/** Newest first. */
export async function listDeploys(db: Db, releaseIds: number[]): Promise<Row<'release_deploys'>[]> {
  return selectInBatches(releaseIds, (batch) =>
    db.selectFrom('release_deploys').selectAll().where('release_id', 'in', batch).orderBy('id', 'desc').execute(),
  )
}

/** How many groups of these applications were first seen in each release, by application and the parts of its name. */
export async function countNewGroups(db: Db, applicationIds: number[]) {
  return selectInBatches([...new Set(applicationIds)], (batch) =>
    db
      .selectFrom('crash_groups')
      .innerJoin('releases', 'releases.id', 'crash_groups.first_release_id')
      .select(['releases.application_id', 'releases.package', 'releases.short_version', 'releases.version'])
      .select(sql<number>`count(*)`.as('count'))
      .where('releases.application_id', 'in', batch)
      .where('crash_groups.crash_count', '>', 0)
      .groupBy(['releases.application_id', 'releases.package', 'releases.short_version', 'releases.version'])
      .execute(),
  )
}
