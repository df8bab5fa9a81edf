/** Versions of what answers about builds are made of, over PostgreSQL. See decision 025. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { prepareQuery } from '../db/prepared.ts'
import { versionedBuilds } from '../db/visible-builds.ts'
import { isOnNewestPage } from './filter-store.ts'

/**
 * A text that differs when anything differs that a build's answer is made of: its row, what the answer shows of its
 * application and its groups, and the symbols files. A blob never changes. Numbers of transactions are given again by a
 * server that was restored or took over from another, which has started at another time.
 */
export const buildVersion = sql<string>`row(
  pg_postmaster_start_time(), builds.id, builds.row_version,
  applications.alias, applications.platform, applications.symbols_version,
  (select string_agg(row(groups.id, groups.name, build_groups.distributed_at)::text, '' order by groups.id)
    from build_groups join distribution_groups as groups on groups.id = build_groups.group_id
    where build_groups.build_id = builds.id)
)::text`

export type TokenIds = { tokenId: number; workspaceId: number }

export interface FoundVersion {
  /** The role of the token. */
  role: string
  /** Null when the build or the application is gone. */
  version: string | null
}

/** Reads the role of a token and the version of a build in one statement. Undefined when the token is revoked. */
export async function findBuildVersion(db: Db, input: BuildInput): Promise<FoundVersion | undefined> {
  const [row] = await selectBuildVersion(db, input)
  return row
}

/** The version of a page: how many builds its application has, and the versions of those that were read for it. */
export function toPageVersion(buildCount: number, versions: (string | undefined)[]): string {
  return `${buildCount} ${versions.join('')}`
}

/**
 * Reads the role of a token and the version of a page in one statement, for which `limit` builds are read, the newest
 * below the cursor. Undefined when the token is revoked.
 */
export async function findPageVersion(
  db: Db,
  input: TokenIds & { applicationId: number; below: number | undefined; limit: number },
): Promise<FoundVersion | undefined> {
  const [row] = await selectPageVersion(db, { ...input, below: input.below ?? Number.MAX_SAFE_INTEGER })
  if (!row) return undefined
  const { role, build_count: count, versions } = row
  return { role, version: count === null ? null : toPageVersion(count, [versions ?? '']) }
}

const selectBuildVersion = prepareQuery((db, { tokenId, workspaceId, buildId }: BuildInput) =>
  selectToken(db, { tokenId, workspaceId }).select((select) =>
    select
      .selectFrom(versionedBuilds)
      .innerJoin('applications', 'applications.id', 'builds.application_id')
      .select(buildVersion.as('version'))
      .where('builds.id', '=', buildId)
      .where('builds.workspace_id', '=', workspaceId)
      .as('version'),
  ),
)

const selectPageVersion = prepareQuery((db, input: PageInput) => {
  const page = db
    .selectFrom(versionedBuilds)
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .select(['builds.id', buildVersion.as('version')])
    .where(isOnNewestPage(db, input))
    .as('page')
  return selectToken(db, input).select((select) => [
    select
      .selectFrom('applications')
      .select('build_count')
      .where('id', '=', input.applicationId)
      .where('workspace_id', '=', input.workspaceId)
      .as('build_count'),
    select
      .selectFrom(page)
      .select(sql<string>`string_agg(page.version, '' order by page.id desc)`.as('versions'))
      .as('versions'),
  ])
})

function selectToken(db: Db, { tokenId, workspaceId }: TokenIds) {
  return db
    .selectFrom('api_tokens')
    .select('api_tokens.role')
    .where('api_tokens.id', '=', tokenId)
    .where('api_tokens.workspace_id', '=', workspaceId)
}

// Types and not interfaces, because only they are records.
type BuildInput = TokenIds & { buildId: number }
type PageInput = TokenIds & { applicationId: number; below: number; limit: number }
