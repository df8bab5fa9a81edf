import type { TestFailure, TestFailureExplanation } from '@fairlead/contract'
import { requireBuild } from '../builds/find.ts'
import { findBuildOfCommit, findPreviousBuild, listBuildsBetween } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import { findSuspects } from '../commits/find-suspects.ts'
import type { SourceFrame } from '../commits/frame-path.ts'
import type { AppContext } from '../context.ts'
import { listCrashGroupsOfFailure } from '../test-failures/crash-links.ts'
import { listOwnFrames } from '../test-failures/describe-crash.ts'
import { describeFailure } from '../test-failures/failure.ts'
import { type FailureToExplain, requireFailureToExplain, type RunOfFailure } from '../test-verdicts/explained.ts'
import { toCrashBrief } from './crash-brief.ts'
import { findLocation, findOwners } from './location.ts'
import { adviseOnCommits } from './next-steps.ts'

type Context = Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers' | 'config'>

/** How many builds between the last passed and the first failed run are searched. */
const maxBuilds = 10
/** How many builds are searched if no run is known in which the test passed. */
const maxBuildsBefore = 3

/**
 * Explains a failure of a test: where it happened, since which run, and which commits may have caused it. The texts
 * under `untrusted` are as they came; who shows them to an agent cleans and cuts them.
 *
 * @throws {ApiError} testFailureNotFound
 */
export async function explainFailure(
  context: Context,
  workspaceId: number,
  failureId: number,
  signal: AbortSignal,
): Promise<TestFailureExplanation> {
  const { db, config } = context
  const found = await requireFailureToExplain(context, workspaceId, failureId)
  const failure = await describeFailure(context, workspaceId, failureId, signal)
  const { run, test, result, range } = found
  const frames = listFrames(failure, test)
  const [lastPassed, firstFailed] = [range.lastPassed, range.firstFailed ?? run]
  const [passedBuildId, failedBuildId] = [
    lastPassed && (await findBuildOfRun(context, run.applicationId, lastPassed)),
    await findBuildOfRun(context, run.applicationId, firstFailed),
  ]
  const builds = await listBuilds(context, workspaceId, { passedBuildId, failedBuildId })
  const suspects = await findSuspects(
    db,
    run.applicationId,
    builds.map((build) => ({ ...build, frames })),
  )
  const location = await findLocation(db, run.applicationId, frames, failedBuildId)
  const located = frames.find(({ index }) => index === location?.frame)
  const owners = await findOwners(db, run.applicationId, location?.untrusted.path ?? null, located)
  const commits = await readCommitState(db, failedBuildId)
  const groups = await listCrashGroupsOfFailure(context, workspaceId, failureId)
  const attempt = failure.attempts.findLast(({ failures }) => failures.length > 0)
  const toRun = (of: RunOfFailure | null, buildId: number | null) =>
    of && { testRunId: of.id, commit: of.commit, buildId }
  return {
    failureId,
    testId: failure.testId,
    testRunId: failure.runId,
    classification: result?.classification ?? null,
    location,
    range: {
      lastPassed: toRun(lastPassed, passedBuildId),
      firstFailed: toRun(range.firstFailed, failedBuildId),
    },
    suspects,
    owners,
    crashGroups: groups.map((group) => toCrashBrief(group, config.baseUrl)),
    untrusted: {
      suite: test.suite,
      class: test.class,
      name: test.name,
      type: failure.type,
      message: failure.message,
      text: attempt?.failures[0]?.text ?? null,
      output: failure.outputs[0]?.text ?? null,
    },
    more: [],
    next: [
      ...(location ? ['Open the file of location at its line.'] : []),
      ...adviseOnCommits(failedBuildId, commits, suspects.length),
    ],
  }
}

/** The app's frames in the traces of a failure, then the place that the report names, then the file of the test. */
function listFrames(failure: TestFailure, test: FailureToExplain['test']): SourceFrame[] {
  const own: Omit<SourceFrame, 'index'>[] = failure.crashes.flatMap(({ crash }) =>
    listOwnFrames(crash).map(({ function: name, file, line }) => ({
      function: name,
      className: crash.kind === 'android' ? toClassName(name) : null,
      file,
      line: line === null || line <= 0 ? null : line,
    })),
  )
  const { place } = failure
  if (place) own.push({ function: null, className: null, file: place.file, line: place.line })
  const ofTest = { function: null, line: null }
  if (test.file !== null) own.push({ ...ofTest, className: null, file: test.file })
  else if (test.class !== null) own.push({ ...ofTest, className: test.class, file: null })
  return own.filter(isFirst).map((frame, index) => ({ index, ...frame }))
}

function toClassName(name: string | null): string | null {
  const dot = name?.lastIndexOf('.') ?? -1
  return name === null || dot <= 0 ? null : name.slice(0, dot)
}

function isFirst(
  frame: Omit<SourceFrame, 'index'>,
  place: number,
  all: readonly Omit<SourceFrame, 'index'>[],
): boolean {
  const key = JSON.stringify(frame)
  return all.findIndex((other) => JSON.stringify(other) === key) === place
}

async function findBuildOfRun(
  { db }: Context,
  applicationId: number,
  { buildId, commit }: RunOfFailure,
): Promise<number | null> {
  if (buildId !== null || commit === null) return buildId
  return (await findBuildOfCommit(db, applicationId, commit)) ?? null
}

/** The builds after the last passed run up to the first failed one, newest first. */
async function listBuilds(
  context: Context,
  workspaceId: number,
  { passedBuildId, failedBuildId }: { passedBuildId: number | null; failedBuildId: number | null },
): Promise<{ id: number; distance: number }[]> {
  if (failedBuildId === null) return []
  const { db } = context
  const failed = await requireBuild(context, workspaceId, failedBuildId)
  if (passedBuildId !== null && passedBuildId < failed.id) {
    const between = { above: passedBuildId, upTo: failed.id, branch: failed.source_branch }
    const ids = await listBuildsBetween(db, failed.application_id, between, maxBuilds)
    return ids.map((id) => ({ id, distance: 0 }))
  }
  const builds = [{ id: failed.id, distance: 0 }]
  let build: typeof failed | undefined = failed
  while (builds.length <= maxBuildsBefore) {
    const { base } = await readCommitState(db, build.id)
    build = await findPreviousBuild(db, build, base)
    if (!build) break
    builds.push({ id: build.id, distance: builds.length })
  }
  return builds
}
