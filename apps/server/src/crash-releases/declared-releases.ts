/** Releases that CI has announced, with their commit, their dates and where they were deployed. */
import type { DeclaredRelease, Page } from '@fairlead/contract'
import { splitRelease } from '@fairlead/crashes'
import type { AppContext } from '../context.ts'
import type { Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { listDeclaredReleases, listDeploys } from './declared-releases-store.ts'

/** What the endpoints of sentry-cli call of the store, and nothing else. */
export {
  countNewGroups,
  deleteDeclaredReleases,
  findDeclaredReleases,
  insertDeploy,
  listAliases,
  listDeclaredReleases,
  listDeploys,
  listReleasesOfWorkspace,
  type ReleaseValues,
  saveDeclaredRelease,
} from './declared-releases-store.ts'

export async function listReleases(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  query: Page,
): Promise<Paged<DeclaredRelease>> {
  const page = await listDeclaredReleases(db, applicationId, query)
  const deploys = Map.groupBy(
    await listDeploys(
      db,
      page.items.map(({ id }) => id),
    ),
    ({ release_id: id }) => id,
  )
  return { ...page, items: page.items.map((row) => toDeclaredRelease(row, deploys.get(row.id) ?? [])) }
}

function toDeclaredRelease(row: Row<'declared_releases'>, deploys: Row<'release_deploys'>[]): DeclaredRelease {
  const { package: name, shortVersion, version } = splitRelease(row.version)
  return {
    id: row.id,
    version: row.version,
    package: name,
    shortVersion,
    buildVersion: version,
    url: row.url,
    commit: row.commit_sha,
    isArchived: row.is_archived === 1,
    createdDate: toInstant(row.created_at),
    releasedDate: toInstantOrNull(row.released_at),
    deploys: deploys.map((deploy) => ({
      environment: deploy.environment,
      name: deploy.name,
      url: deploy.url,
      startedDate: toInstantOrNull(deploy.started_at),
      finishedDate: toInstantOrNull(deploy.finished_at),
    })),
  }
}
