import type { ListBuilds } from '@fairlead/contract'
import { sql } from 'kysely'
import { bytewise } from '../db/bytewise.ts'
import type { Db } from '../db/open.ts'
import { toPrefixEnd } from '../db/prefix-end.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import { toNameKey } from '../distribution-groups/name-key.ts'

export interface FilteredGroup {
  id: number
  /** Whether the builds are found by reading those of the group, instead of those of the application. */
  isSmall: boolean
}

/** Reads the number of a build out of a search such as `#128`. Other searches are for words. */
export function toBuildNumber({ q = '' }: ListBuilds): number | undefined {
  const digits = /^\s*#(\d{1,15})\s*$/.exec(q)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A group with fewer builds than this is small. */
const smallGroup = 1000

/** Finds the group that a filter names. Its id is 0 when the workspace has no such group. */
export async function findFilteredGroup(
  db: Db,
  applicationId: number,
  { distributionGroupName }: ListBuilds,
): Promise<FilteredGroup | undefined> {
  if (distributionGroupName === undefined) return undefined
  const group = await db
    .selectFrom('applications')
    .innerJoin('distribution_groups', 'distribution_groups.workspace_id', 'applications.workspace_id')
    .select('distribution_groups.id')
    .where('applications.id', '=', applicationId)
    .where('distribution_groups.name_key', '=', toNameKey(distributionGroupName))
    .executeTakeFirst()
  if (!group) return { id: 0, isSmall: true }
  return measureGroup(db, group.id)
}

/** Tells whether the builds of a group are few. */
export async function measureGroup(db: Db, id: number): Promise<FilteredGroup> {
  const first = await db
    .selectFrom('build_groups')
    .select('build_id')
    .where('group_id', '=', id)
    .limit(smallGroup)
    .execute()
  return { id, isSmall: first.length < smallGroup }
}

/** Selects from the builds of an application that match a filter. */
export function selectMatching(db: Db, applicationId: number, filter: ListBuilds, group: FilteredGroup | undefined) {
  let query = db.selectFrom(visibleBuilds).where('builds.application_id', '=', applicationId)
  const branch = bytewise(db, 'builds.source_branch')
  if (filter.branch !== undefined) query = query.where(branch, '=', filter.branch)
  if (filter.branchPrefix !== undefined) {
    const end = toPrefixEnd(filter.branchPrefix)
    query = query.where(branch, '>=', filter.branchPrefix)
    if (end !== undefined) query = query.where(branch, '<', end)
  }
  if (filter.shortVersion !== undefined) query = query.where('builds.short_version', '=', filter.shortVersion)
  if (filter.version !== undefined) query = query.where('builds.version', '=', filter.version)
  const number = toBuildNumber(filter)
  if (number !== undefined) query = query.where('builds.number', '=', number)
  if (group?.isSmall === true) {
    query = query.where('builds.id', 'in', (select) =>
      select.selectFrom('build_groups').select('build_id').where('group_id', '=', group.id),
    )
  } else if (group) {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('build_groups')
          .select('build_groups.build_id')
          .whereRef('build_groups.build_id', '=', 'builds.id')
          .where('build_groups.group_id', '=', group.id),
      ),
    )
  }
  return query
}

/** The most builds that one page may read: the longest page and the build that tells whether there is another. */
export const longestPage = 201

interface NewestPage {
  applicationId: number
  /** The page begins below this id. */
  below: number
  limit: number
}

/**
 * PostgreSQL only: whether a build is on a page of the newest builds of an application, at most `longestPage` of them.
 *
 * A prepared statement is planned once for all unless such a plan is expected to cost more than others. The length of
 * the page is not known then, so of a plain limit PostgreSQL would expect a tenth of the application's builds, and plan
 * each request of a large application anew, which takes as long as running it. Of an array it expects ten builds. Its
 * ids come from the index on the application alone; whole rows might be looked for among those of all applications.
 */
export function isOnNewestPage(db: Db, { applicationId, below, limit }: NewestPage) {
  const newest = selectMatching(db, applicationId, {}, undefined)
    .select('builds.id')
    .where('builds.id', '<', below)
    .orderBy('builds.id', 'desc')
    .limit(sql.lit(longestPage))
    .as('newest')
  const page = db.selectFrom(newest).select('newest.id').orderBy('newest.id', 'desc').limit(limit)
  return sql<boolean>`builds.id = any(array(${page}))`
}
