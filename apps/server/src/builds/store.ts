import { setImmediate } from 'node:timers/promises'
import type { ListBuilds, Platform, SymbolsCoverage } from '@fairlead/contract'
import { invariant } from '@fairlead/invariant'
import { toDetailRank } from '@fairlead/symbols'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Engine, isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Row } from '../db/schema.ts'
import { versionedBuilds, visibleBuilds } from '../db/visible-builds.ts'
import { type ExpectedImage, maxNamed, toCoverage } from './coverage.ts'
import type { BuildRecord } from './build.ts'
import { findFilteredGroup, isOnNewestPage, longestPage, selectMatching } from './filter-store.ts'
import { comparePlaces, inOrder, type Place } from './sort-store.ts'
import { buildVersion } from './version-store.ts'

interface BuildBase extends Row<'builds'> {
  alias: string
  platform: Platform
  sha256: string
}

export function selectBuilds(db: Db, builds = visibleBuilds) {
  return db
    .selectFrom(builds)
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .innerJoin('blobs', 'blobs.id', 'builds.blob_id')
    .selectAll('builds')
    .select(['applications.alias', 'applications.platform', 'blobs.sha256'])
}

export async function findBuild(db: Db, workspaceId: number, id: number): Promise<BuildRecord | undefined> {
  if (isPostgres(db)) {
    const [row] = await findRecordById(db, { workspaceId, id })
    return row
  }
  const [base] = await findById(db, { workspaceId, id })
  if (!base) return undefined
  const [groups, images] = await Promise.all([findGroupsOf(db, { id }), findImagesOf(db, { id })])
  return { ...base, groups, symbols: toCoverage(images) }
}

const findById = prepareQuery((db, { workspaceId, id }: { workspaceId: number; id: number }) =>
  selectBuilds(db).where('builds.id', '=', id).where('builds.workspace_id', '=', workspaceId),
)
const findRecordById = prepareQuery((db, { workspaceId, id }: { workspaceId: number; id: number }) =>
  withRelations(
    selectBuilds(db, versionedBuilds).where('builds.id', '=', id).where('builds.workspace_id', '=', workspaceId),
  ).select(buildVersion.as('version_text')),
)
const findGroupsOf = prepareQuery((db, { id }: { id: number }) => selectBuildGroups(db, [id]))
const findImagesOf = prepareQuery((db, { id }: { id: number }) => selectExpectedImages(db, [id]))

/**
 * Finds a build by the secret of its install link. The secret authorizes the request, so there is no workspace to
 * check.
 */
export async function findBuildBySecret(db: Db, secret: string): Promise<BuildRecord | undefined> {
  const [record] = await readRecords(db, selectBuilds(db).where('builds.secret', '=', secret))
  return record
}

/** Finds a build in any workspace, for a download grant, whose signature authorizes the request. */
export async function findBuildById(db: Db, id: number): Promise<BuildRecord | undefined> {
  const [record] = await readRecords(db, selectBuilds(db).where('builds.id', '=', id))
  return record
}

/** Returns one slice of an application's builds in the order that the filter names. */
export async function listBuildRecords(
  db: Db,
  applicationId: number,
  filter: ListBuilds,
  slice: { after: Place | undefined; limit: number },
): Promise<BuildRecord[]> {
  const group = await findFilteredGroup(db, applicationId, filter)
  // The ids come from an index alone, so that only the builds of the slice are read and joined.
  const ids = inOrder(selectMatching(db, applicationId, filter, group), filter.sort, slice.after)
    .select('builds.id')
    .limit(slice.limit)
  const records = await readRecords(db, selectBuilds(db).where('builds.id', 'in', ids))
  return records.toSorted(comparePlaces(filter.sort))
}

/** Returns one slice of all builds of an application, newest first, below the cursor. */
export async function listNewestRecords(
  db: Db,
  applicationId: number,
  slice: { below: number | undefined; limit: number },
): Promise<BuildRecord[]> {
  if (!isPostgres(db)) {
    const after = slice.below === undefined ? undefined : { id: slice.below, size: 0, install_count: 0 }
    return listBuildRecords(db, applicationId, {}, { after, limit: slice.limit })
  }
  invariant(slice.limit <= longestPage, 'a page is not longer than the longest one')
  return selectNewest(db, { applicationId, below: slice.below ?? Number.MAX_SAFE_INTEGER, limit: slice.limit })
}

const selectNewest = prepareQuery(
  (db, { applicationId, below, limit }: { applicationId: number; below: number; limit: number }) => {
    const isOnPage = isOnNewestPage(db, { applicationId, below, limit })
    const builds = selectBuilds(db, versionedBuilds).where(isOnPage).orderBy('builds.id', 'desc')
    return withRelations(builds).select(buildVersion.as('version_text'))
  },
)

/** Reads builds by their ids, newest first; deleted builds are left out. */
export async function listBuildRecordsById(db: Db, ids: number[]): Promise<BuildRecord[]> {
  if (ids.length === 0) return []
  return readRecords(db, selectBuilds(db).where('builds.id', 'in', ids).orderBy('builds.id', 'desc'))
}

/**
 * Compares the words of the filter with one slice of the builds that match the rest of it, newest first, below the
 * cursor. Both databases compare byte by byte without a pattern, so that no words make it slow.
 */
export async function searchSlice(
  db: Db,
  engine: Engine,
  applicationId: number,
  filter: ListBuilds,
  slice: { below: number | undefined; limit: number },
): Promise<(Place & { isMatch: boolean })[]> {
  const words = (filter.q ?? '').trim().toLowerCase()
  const position = sql.raw<number>(engine === 'sqlite' ? 'instr' : 'strpos')
  const group = await findFilteredGroup(db, applicationId, filter)
  let query = selectMatching(db, applicationId, filter, group)
    .innerJoin('build_search', 'build_search.build_id', 'builds.id')
    .select(['builds.id', 'builds.size', 'builds.install_count'])
    .select(sql<number>`${position}(build_search.text, ${words})`.as('position'))
    .orderBy('builds.id', 'desc')
    .limit(slice.limit)
  // PostgreSQL does not conclude the second condition, and would read the searched texts of all newer builds first.
  if (slice.below !== undefined) {
    query = query.where('builds.id', '<', slice.below).where('build_search.build_id', '<', slice.below)
  }
  const rows = await query.execute()
  return rows.map(({ position, ...place }) => ({ ...place, isMatch: position > 0 }))
}

export async function countBuilds(db: Db, applicationId: number, filter: ListBuilds): Promise<number> {
  const group = await findFilteredGroup(db, applicationId, filter)
  const { count } = await selectMatching(db, applicationId, filter, group)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function readRecords(db: Db, query: ReturnType<typeof selectBuilds>): Promise<BuildRecord[]> {
  return isPostgres(db) ? withRelations(query).execute() : addRelations(db, await query.execute())
}

/** The rank of files that say nothing of code, such as obfuscation maps and stripped Dart snapshots. */
const saysNothing = toDetailRank('none')

/**
 * The id of an image of a symbols file for an image of a build, which the query joins with the build; null if there is
 * none now. A bundle of JavaScript without a debug id is found by its name and release, as crash intake finds its map.
 */
const symbolsImageId = sql<number | null>`(
  case when build_images.uuid <> '' then (
    select symbols_images.id from symbols_images
    where symbols_images.application_id = builds.application_id and symbols_images.uuid = build_images.uuid
      and symbols_images.detail_rank < ${sql.lit(saysNothing)}
    limit 1
  ) else (
    select symbols_images.id from symbols_images
    join symbols_files on symbols_files.id = symbols_images.symbols_file_id
    where symbols_images.application_id = builds.application_id and symbols_images.name = build_images.name
      and symbols_files.kind = 'sourcemap'
      and (symbols_files.short_version is not null or symbols_files.version is not null)
      and coalesce(symbols_files.short_version, builds.short_version) = builds.short_version
      and coalesce(symbols_files.version, builds.version) = builds.version
      and coalesce(symbols_files.bundle_identifier, builds.bundle_identifier) = builds.bundle_identifier
    limit 1
  ) end
)`

/**
 * Selects builds with their groups and symbols coverage in one statement. PostgreSQL is a round trip away, so several
 * small statements would cost more than the JSON that it makes here; for SQLite it is the other way round. See decision
 * 020.
 */
function withRelations(query: ReturnType<typeof selectBuilds>) {
  return query.select((select) => [
    jsonArrayFrom(
      select
        .selectFrom('build_groups')
        .innerJoin('distribution_groups as groups', 'groups.id', 'build_groups.group_id')
        .select(['groups.id', 'groups.name', 'build_groups.distributed_at'])
        .whereRef('build_groups.build_id', '=', 'builds.id')
        .orderBy('groups.name_key'),
    ).as('groups'),
    // An app may have hundreds of images, so they are counted there, and only those that an answer names come over.
    sql<SymbolsCoverage | null>`(
      select case when count(*) > 0 then json_build_object(
        'expected', count(*),
        'present', count(image.symbols_image_id),
        'missing', coalesce(to_json((
          array_agg(json_build_object('name', image.name, 'uuid', image.uuid, 'architecture', image.architecture))
          filter (where image.symbols_image_id is null)
        )[1:${sql.lit(maxNamed)}]), '[]')
      ) end
      from (
        select build_images.name, build_images.uuid, build_images.architecture, ${symbolsImageId} as symbols_image_id
        from build_images where build_images.build_id = builds.id
      ) as image
    )`.as('symbols'),
  ])
}

/** How many builds one statement reads the images of. */
const imageSlice = 25

/** Adds groups and symbols coverage to a list of builds. */
async function addRelations(db: Db, builds: BuildBase[]): Promise<BuildRecord[]> {
  if (builds.length === 0) return []
  const ids = builds.map((build) => build.id)
  const groups = await selectBuildGroups(db, ids).execute()
  const images: ExpectedImage[] = []
  // An app may have hundreds of images, so other requests are answered between a few builds and the next.
  for (let start = 0; start < ids.length; start += imageSlice) {
    if (start > 0) await setImmediate()
    for (const image of await selectExpectedImages(db, ids.slice(start, start + imageSlice)).execute()) {
      images.push(image)
    }
  }
  const groupsOf = Map.groupBy(groups, (group) => group.build_id)
  const imagesOf = Map.groupBy(images, (image) => image.build_id)
  return builds.map((build) => ({
    ...build,
    groups: groupsOf.get(build.id) ?? [],
    symbols: toCoverage(imagesOf.get(build.id) ?? []),
  }))
}

function selectBuildGroups(db: Db, buildIds: number[]) {
  return db
    .selectFrom('build_groups')
    .innerJoin('distribution_groups as groups', 'groups.id', 'build_groups.group_id')
    .select(['build_groups.build_id', 'groups.id', 'groups.name', 'build_groups.distributed_at'])
    .where('build_groups.build_id', 'in', buildIds)
    .orderBy('groups.name_key')
}

/** Selects the images of builds, each with an image of a symbols file if there is one now. */
function selectExpectedImages(db: Db, buildIds: number[]) {
  return db
    .selectFrom('build_images')
    .innerJoin('builds', 'builds.id', 'build_images.build_id')
    .select([
      'build_images.build_id',
      'build_images.name',
      'build_images.uuid',
      'build_images.architecture',
      symbolsImageId.as('symbols_image_id'),
    ])
    .where('build_images.build_id', 'in', buildIds)
}

/** Finds what the provisioning profile of a build lists, if it lists devices. */
export async function findProfileRow(db: Db, buildId: number): Promise<Row<'build_profiles'> | undefined> {
  return db.selectFrom('build_profiles').selectAll().where('build_id', '=', buildId).executeTakeFirst()
}
