import type { CommitState, CrashExplanation } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import { findPreviousBuild, listBuildsOfRelease } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import type { AppContext } from '../context.ts'
import { findFirstRelease, isBuildUsed } from '../crash-groups/explained.ts'

type Context = Pick<AppContext, 'db'>

/** How many builds before the first one are searched if nobody used them. */
const maxBuildsBefore = 3
/** How many uploads of the first release are searched. */
const maxUploads = 5

export interface Introduction {
  introduced: CrashExplanation['introduced']
  /** The releases of the first build, whose crashes have the lines of its code; empty without a build. */
  releaseIds: number[]
  /** The builds that may have brought the fault, newest first, and how many builds before the first one each is. */
  builds: { id: number; distance: number }[]
}

/** Finds the first build that has a crash group, in the order of releases and not in that of arrival. */
export async function findIntroduction(
  context: Context,
  workspaceId: number,
  { id, applicationId }: { id: number; applicationId: number },
): Promise<Introduction> {
  const first = await findFirstRelease(context, applicationId, id)
  if (!first) return { introduced: unknown, releaseIds: [], builds: [] }
  const newest = await requireBuild(context, workspaceId, first.buildId)
  const uploads = await listBuildsOfRelease(context.db, newest, maxUploads)
  const build = await requireBuild(context, workspaceId, uploads.at(-1) ?? newest.id)
  const commits = await readCommitState(context.db, build.id)
  const before = await findPreviousBuild(context.db, build, commits.base)
  const isBeforeUsed = before !== undefined && (await isBuildUsed(context, before))
  const earlier = isBeforeUsed ? [] : await listUnused(context, before)
  return {
    introduced: {
      buildId: build.id,
      previousBuildId: before?.id ?? null,
      isCertain: isBeforeUsed && first.isFirst,
      commits,
    },
    releaseIds: first.ids,
    builds: [...uploads.map((upload) => ({ id: upload, distance: 0 })), ...earlier],
  }
}

const noCommits: CommitState = { state: 'none', base: null, head: null, count: 0 }
const unknown = { buildId: null, previousBuildId: null, isCertain: false, commits: noCommits }

/** A build that nobody used may have brought the fault as well. */
async function listUnused(context: Context, from: BuildRecord | undefined): Promise<Introduction['builds']> {
  const builds: Introduction['builds'] = []
  for (let build = from; build !== undefined && builds.length < maxBuildsBefore;) {
    if (await isBuildUsed(context, build)) break
    builds.push({ id: build.id, distance: builds.length + 1 })
    const { base } = await readCommitState(context.db, build.id)
    build = await findPreviousBuild(context.db, build, base)
  }
  return builds
}
