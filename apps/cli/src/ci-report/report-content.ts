import { setTimeout } from 'node:timers/promises'
import {
  type Client,
  RequestError,
  type TestFailure,
  type TestResult,
  type TestRun,
  type Verdict,
} from '@fairlead/client'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import type { Build } from '../output/build.ts'
import { toResultName } from '../test-runs/run-output.ts'

/** A failed test with what tells a reviewer where to look. */
export interface ReportedFailure {
  name: string
  message: string | null
  /** The file as the report or the stack names it, which need not be its path in the repository. */
  file: string | null
  line: number | null
  owner: string | null
}

/** The facts about a commit that its comment, its check and its summary show. */
export interface ReportContent {
  application: string
  commit: string | null
  run: TestRun | undefined
  verdict: Verdict | undefined
  failures: ReportedFailure[]
  flaky: string[]
  build: Build | undefined
  /** The newest build of the target branch, with which the size is compared. */
  baseBuild: Build | undefined
  /** Titles of the crash groups whose first release is that of the build. */
  newCrashes: string[]
}

/** Failures by their ids. They do not change, and a job reads its report several times. */
export type KnownFailures = Map<number, Promise<TestFailure>>

const maxFailures = 20
/** How often a failure is asked for again while the server has too many of these requests, and the longest pause. */
const maxTries = 20
const longestPauseMs = 10_000
const maxFlaky = 10
const maxCrashes = 10

export interface ReportSubject {
  application: Application
  commit: string | undefined
  runKey: string | undefined
  targetBranch: string | undefined
  buildId: number | undefined
  known: KnownFailures
}

/** Asks the server for the run and the build of a commit. Both are undefined where there are none. */
export async function readReportContent(io: Io, client: Client, subject: ReportSubject): Promise<ReportContent> {
  const { application, commit } = subject
  const [run, build] = await Promise.all([findRun(client, subject), findBuild(io, client, subject)])
  const [verdict, failures, flaky, baseBuild, newCrashes] = await Promise.all([
    run && client.tests.getVerdict(run.id),
    run ? listFailures(client, run, subject.known) : [],
    run ? listFlaky(client, run) : [],
    build && findBaseBuild(client, subject, build),
    build ? listNewCrashes(client, application.id, build) : [],
  ])
  const facts = { run, verdict, failures, flaky, build, baseBuild, newCrashes }
  return { application: application.alias, commit: commit ?? null, ...facts }
}

async function findRun(client: Client, { application, commit, runKey: key }: ReportSubject) {
  if (key === undefined && commit === undefined) return undefined
  const query = key === undefined ? { commit } : { key }
  const { items } = await client.tests.listRuns(application.id, { ...query, limit: 1 })
  return items[0]
}

async function findBuild(io: Io, client: Client, { application, commit, buildId }: ReportSubject) {
  const call = { signal: io.signal }
  if (buildId !== undefined) return await client.builds.get(buildId, call)
  if (commit === undefined) return undefined
  const { items } = await client.builds.listPage(application.id, { q: commit, limit: 20 }, call)
  return items.find(({ source }) => source?.commit === commit)
}

async function findBaseBuild(client: Client, { application, targetBranch }: ReportSubject, build: Build) {
  if (targetBranch === undefined) return undefined
  const { items } = await client.builds.listPage(application.id, { branch: targetBranch, limit: 2 })
  return items.find(({ id }) => id !== build.id)
}

async function listFailures(client: Client, run: TestRun, known: KnownFailures): Promise<ReportedFailure[]> {
  const query = { outcome: 'failed', classification: 'new', limit: maxFailures } as const
  const { items } = await client.tests.listResults(run.id, query)
  return await Promise.all(items.map((result) => describeFailure(client, result, known)))
}

async function describeFailure(client: Client, result: TestResult, known: KnownFailures): Promise<ReportedFailure> {
  const { failureId } = result
  if (failureId !== null && !known.has(failureId)) known.set(failureId, getFailure(client, failureId))
  const failure = failureId === null ? undefined : await known.get(failureId)
  const test = await client.tests.get(result.testId)
  const { file, line } = failure?.place ?? { file: result.file, line: null }
  return {
    name: toResultName(result),
    message: result.attempts.at(-1)?.message ?? failure?.message ?? null,
    file,
    line,
    owner: test.owner,
  }
}

/** The server reads crashes of a failure in few processes, and many jobs may ask for the same one at once. */
async function getFailure(client: Client, id: number): Promise<TestFailure> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.tests.getFailure(id)
    } catch (error) {
      if (!(error instanceof RequestError) || error.httpStatus !== 429 || attempt === maxTries) throw error
      await setTimeout(Math.random() * longestPauseMs)
    }
  }
}

async function listFlaky(client: Client, run: TestRun): Promise<string[]> {
  const { items } = await client.tests.listResults(run.id, { classification: 'flaky', limit: maxFlaky })
  return items.map(toResultName)
}

async function listNewCrashes(client: Client, applicationId: number, build: Build): Promise<string[]> {
  const groups = await client.crashes.listGroups(applicationId, { buildId: build.id, sort: 'firstSeen', limit: 100 })
  const isNew = groups.filter(({ firstRelease }) => firstRelease?.version === build.version)
  return isNew.slice(0, maxCrashes).map(({ title }) => title)
}
