import { ApiError, type BuildComparison, type CommitState, type TestResult } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import { findPreviousBuild, listBuildsBetween } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import { listCommits } from '../commits/list.ts'
import type { AppContext } from '../context.ts'
import { listNewGroups } from '../crash-groups/explained.ts'
import { requireCrashGroup } from '../crash-groups/find.ts'
import { compareRunsOfBuilds } from '../test-verdicts/explained.ts'
import { toCrashBrief } from './crash-brief.ts'
import { adviseOnComparison } from './next-steps.ts'

type Context = Pick<AppContext, 'db' | 'config'>

const maxBuilds = 50
const maxCommits = 20
const maxPaths = 5
const maxGroups = 10
const maxTests = 20

/**
 * Compares a build with an older one of the same application: what its commits changed, which crashes and failures of
 * tests are new. Without `baseBuildId` it is compared with the build before it.
 *
 * @throws {ApiError} buildNotFound; invalidRequest for builds of two applications
 */
export async function compareBuilds(
  context: Context,
  workspaceId: number,
  buildId: number,
  baseBuildId?: number,
): Promise<BuildComparison> {
  const build = await requireBuild(context, workspaceId, buildId)
  const own = await readCommitState(context.db, build.id)
  const base =
    baseBuildId === undefined
      ? await findPreviousBuild(context.db, build, own.base)
      : await requireBuildOf(context, workspaceId, build.application_id, baseBuildId)
  const between = base ? await listBetween(context, build, base) : [build.id]
  const commits = await describeCommits(context, between)
  return {
    buildId: build.id,
    baseBuildId: base?.id ?? null,
    sizeChangeBytes: base ? build.size - base.size : null,
    commits,
    newCrashGroups: await listGroups(context, workspaceId, between),
    tests: base ? await compareTests(context, build, base) : null,
    next: adviseOnComparison({ buildId: build.id, baseBuildId: base?.id ?? null, state: commits.state }),
  }
}

async function requireBuildOf(context: Context, workspaceId: number, applicationId: number, id: number) {
  const build = await requireBuild(context, workspaceId, id)
  if (build.application_id === applicationId) return build
  throw new ApiError('invalidRequest', {
    faults: [{ source: 'baseBuildId', detail: 'is a build of another application' }],
  })
}

/** The build before brings only the commits of the build itself; from an older one on, those of the builds between. */
async function listBetween({ db }: Context, build: BuildRecord, base: BuildRecord): Promise<number[]> {
  const between = { above: base.id, upTo: build.id, branch: build.source_branch }
  return base.id < build.id ? listBuildsBetween(db, build.application_id, between, maxBuilds) : [build.id]
}

async function describeCommits({ db }: Context, buildIds: readonly number[]): Promise<BuildComparison['commits']> {
  const states: CommitState[] = []
  const items: BuildComparison['commits']['items'] = []
  const seen = new Set<string>()
  for (const buildId of buildIds) {
    states.push(await readCommitState(db, buildId))
    if (items.length >= maxCommits) continue
    const { items: listed } = await listCommits(db, buildId, { limit: maxCommits })
    for (const { id, date, subject, author, files } of listed) {
      if (seen.has(id) || items.length >= maxCommits) continue
      seen.add(id)
      const paths = files.slice(0, maxPaths).map(({ path }) => path)
      const untrusted = { paths, subject, author: author?.name ?? null }
      items.push({ commit: id, date, buildId, fileCount: files.length, untrusted })
    }
  }
  const known = states.filter(({ state }) => state !== 'none')
  const isComplete = known.length === states.length && known.every(({ state }) => state === 'complete')
  return {
    state: known.length === 0 ? 'none' : isComplete ? 'complete' : 'partial',
    count: known.reduce((sum, { count }) => sum + count, 0),
    items,
  }
}

async function listGroups(
  context: Context,
  workspaceId: number,
  buildIds: readonly number[],
): Promise<BuildComparison['newCrashGroups']> {
  const ids = new Set<number>()
  for (const buildId of buildIds) {
    if (ids.size >= maxGroups) break
    const born = await listNewGroups(context, await requireBuild(context, workspaceId, buildId), maxGroups)
    for (const id of born.ids) ids.add(id)
  }
  const groups = [...ids].slice(0, maxGroups).map((id) => requireCrashGroup(context, workspaceId, id))
  return (await Promise.all(groups)).map((group) => toCrashBrief(group, context.config.baseUrl))
}

async function compareTests(
  context: Context,
  build: BuildRecord,
  base: BuildRecord,
): Promise<BuildComparison['tests']> {
  const comparison = await compareRunsOfBuilds(context, build, base)
  if (!comparison) return null
  const { runId, newFailures, fixed, counts } = comparison
  const toTests = (results: readonly TestResult[]) =>
    results.slice(0, maxTests).map(({ testId, failureId, suite, class: className, name }) => ({
      testId,
      failureId,
      testRunId: runId,
      untrusted: { suite, class: className, name },
    }))
  return {
    newFailures: toTests(newFailures),
    fixed: toTests(fixed),
    newFailureCount: counts.newFailures,
    fixedCount: counts.fixed,
  }
}
