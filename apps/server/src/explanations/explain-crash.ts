/**
 * Explanations: why something fails, since when, and who changed it.
 *
 * One answer joins what builds, symbols, crashes, tests, owners and commits know, so that a person or a coding agent
 * needs one request to stand on the right line. Text that others have written is under the keys `untrusted` alone.
 */
import { ApiError, type Crash, type CrashExplanation, type CrashGroup } from '@fairlead/contract'
import { requireApplication } from '../applications/find.ts'
import { requireBuild } from '../builds/find.ts'
import { findPreviousBuild } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import { findSuspects } from '../commits/find-suspects.ts'
import type { SourceFrame } from '../commits/frame-path.ts'
import type { AppContext } from '../context.ts'
import {
  findCrashOfSource,
  findCrashToExplain,
  listMissingOfCrash,
  requireLivingGroup,
} from '../crash-groups/explained.ts'
import { requireCrash, requireCrashGroup } from '../crash-groups/find.ts'
import { isResolvedFrame } from '../crash-stacks/resolved-frame.ts'
import { listFailuresOfCrashGroup } from '../test-failures/crash-links.ts'
import { listAppFrames, placeFrames } from './app-frames.ts'
import { toCrashBrief } from './crash-brief.ts'
import { findIntroduction, type Introduction } from './introduced.ts'
import { findLocation, findOwners } from './location.ts'
import { adviseOnCrash } from './next-steps.ts'

type Context = Pick<AppContext, 'db' | 'memo' | 'config'>

/** A group, or a crash whose group is explained by its frames, by our id or by that of its SDK. */
export type CrashTarget = { crashGroupId: number } | { crashId: number } | { applicationId: number; sourceId: string }

const maxFrames = 20

/**
 * Explains a crash group. The texts under `untrusted` are as they came; whoever shows them to an agent cleans and cuts
 * them.
 *
 * @throws {ApiError} crashGroupNotFound, crashNotFound
 */
export async function explainCrash(
  context: Context,
  workspaceId: number,
  target: CrashTarget,
): Promise<CrashExplanation> {
  const { db, config } = context
  const { group, crash } = await findTarget(context, workspaceId, target)
  const { applicationId } = group
  const application = await requireApplication(context, workspaceId, applicationId)
  const frames = crash ? listAppFrames(crash, group) : []
  const introduction = await findIntroduction(context, workspaceId, group)
  const suspects = await listSuspects(context, workspaceId, { group, frames, introduction })
  const location = await findLocation(db, applicationId, frames, crash?.buildId ?? null)
  const located = frames.find(({ index }) => index === location?.frame)
  const tests = await listFailuresOfCrashGroup(context, workspaceId, group.id)
  const missing = crash ? await listMissingOfCrash(context, workspaceId, crash.id) : []
  const { introduced } = introduction
  return {
    ...toCrashBrief(group, config.baseUrl),
    applicationId,
    crash: crash ? toExplainedCrash(crash) : null,
    location,
    frames: (crash?.frames ?? []).slice(0, maxFrames).map(toExplainedFrame),
    introduced,
    suspects,
    owners: await findOwners(db, applicationId, location?.untrusted.path ?? null, located),
    tests: tests.map(({ testId, failureId, runId, testName: name }) => {
      return { testId, failureId, testRunId: runId, untrusted: { name } }
    }),
    missingSymbols: missing.map(({ kind, uuid }) => ({
      kind,
      uuid,
      command: toSymbolsCommand(kind, application.alias, crash?.buildId ?? null),
    })),
    build: await describeBuildOfCrash(context, workspaceId, crash?.buildId ?? null),
    more: [],
    next: adviseOnCrash({ location, introduced, suspects, hasAppFrames: frames.length > 0, missing: missing.length }),
  }
}

async function findTarget(
  context: Context,
  workspaceId: number,
  target: CrashTarget,
): Promise<{ group: CrashGroup; crash: Crash | undefined }> {
  if (!('crashGroupId' in target)) {
    const crash = await requireCrash(context, workspaceId, await findCrashId(context, target))
    return { crash, group: await requireCrashGroup(context, workspaceId, crash.groupId) }
  }
  const id = await requireLivingGroup(context, workspaceId, target.crashGroupId)
  const group = await requireCrashGroup(context, workspaceId, id)
  return { group, crash: await findCrashToExplain(context, workspaceId, id) }
}

async function findCrashId({ db }: Context, target: Exclude<CrashTarget, { crashGroupId: number }>): Promise<number> {
  if ('crashId' in target) return target.crashId
  const found = await findCrashOfSource(db, target.applicationId, target.sourceId)
  if (!found) throw new ApiError('crashNotFound')
  return found.id
}

/** A line is one of its build, so the commits of a build are compared with a crash of the first release. */
async function listSuspects(
  context: Context,
  workspaceId: number,
  { group, frames, introduction }: { group: CrashGroup; frames: SourceFrame[]; introduction: Introduction },
): Promise<CrashExplanation['suspects']> {
  const { builds, releaseIds } = introduction
  if (builds.length === 0) return []
  const first = await findCrashToExplain(context, workspaceId, group.id, releaseIds)
  const own = first ? placeFrames(listAppFrames(first, group), frames) : frames
  return findSuspects(
    context.db,
    group.applicationId,
    builds.map((build) => ({ ...build, frames: own })),
  )
}

function toExplainedCrash(crash: Crash): NonNullable<CrashExplanation['crash']> {
  const { exceptions, deviceModel, osName, osVersion, shortVersion, version } = crash
  return {
    crashId: crash.id,
    occurredDate: crash.occurredDate,
    buildId: crash.buildId,
    untrusted: { exceptions, deviceModel, osName, osVersion, shortVersion, version },
  }
}

function toExplainedFrame(frame: Crash['frames'][number], index: number): CrashExplanation['frames'][number] {
  const { line, isApp, inlined, function: name, file, className, module } = frame
  return {
    index,
    line,
    isApp,
    isInlined: inlined,
    isResolved: isResolvedFrame(frame),
    untrusted: { function: name, file, className, module },
  }
}

/** A package or version of a crash in a command would run in somebody's terminal, so there are none. */
function toSymbolsCommand(kind: string, alias: string, buildId: number | null): string {
  if (kind === 'dsym') return `fairlead symbols upload App.xcarchive --app ${alias}`
  if (kind !== 'proguard') return `fairlead symbols upload . --app ${alias}`
  return `fairlead symbols upload mapping.txt --app ${alias}${buildId === null ? '' : ` --for ${buildId}`}`
}

async function describeBuildOfCrash(
  context: Context,
  workspaceId: number,
  buildId: number | null,
): Promise<CrashExplanation['build']> {
  if (buildId === null) return null
  const build = await requireBuild(context, workspaceId, buildId)
  const { base } = await readCommitState(context.db, buildId)
  const before = await findPreviousBuild(context.db, build, base)
  return { buildId, sizeBytes: build.size, sizeChangeBytes: before ? build.size - before.size : null }
}
