/**
 * `npm test`: every check and every test, the server's on both engines, then one line `N passed, N failed`. Arguments
 * choose a part of it; test-arguments.ts describes them.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { bundleServer } from './bundle-server.ts'
import { measureBusyShare } from './busy-share.ts'
import { runChecks } from './check.ts'
import { openMemoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'
import { provision } from './provision.ts'
import { startRadosgw } from './radosgw.ts'
import { type JobResult, runTestJob, type TestJob, type TestOptions } from './run-test-job.ts'
import { groupSmallFiles } from './group-small-files.ts'
import { parseTestArguments, type TestArguments, usage } from './test-arguments.ts'
import { asksForEngine, findTestFiles } from './test-files.ts'
import { printSlowest, readSeconds, saveSeconds } from './test-seconds.ts'

/** The second engine: environment variables for the tests, or undefined when it is not installed. */
interface Engine {
  name: string
  environment: Record<string, string> | undefined
}

const root = join(import.meta.dirname, '..')
// Test processes and the servers they start share V8's compile cache; half of a start goes into reading TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/fairlead')
/**
 * The same Chromium without the windows of a desktop, which takes about half of the processor time. Debian has it since
 * version 12; elsewhere the tests use the whole program.
 */
const headlessShell = '/usr/bin/chromium-headless-shell'
/**
 * The time limits for the process of test files. They only end what hangs, because a slow machine takes many times as
 * long. Chosen tests may run in their long forms, such as ten minutes.
 */
const fileTimeoutMs = 1_500_000
const chosenTimeoutMs = 3_600_000
/** Another test begins when the processors were less busy for so long. */
const mostBusyShare = 0.75
const idleAfterMs = 3000
/** Holds what must be closed when a run ends or is interrupted, such as a database server. */
const running = new AsyncDisposableStack()

async function startEngine(): Promise<Engine> {
  await using opened = new AsyncDisposableStack()
  const postgres = await startPostgres()
  const environment: Record<string, string> = {}
  if (postgres) {
    opened.use(postgres)
    environment.FAIRLEAD_TEST_DATABASE_URL = postgres.url
  }
  const s3 = postgres && (await startRadosgw())
  if (s3) {
    opened.use(s3)
    Object.assign(environment, s3.environment, { FAIRLEAD_TEST_STORAGE_URL: await s3.createBucket('fairlead') })
  }
  running.use(opened.move())
  return { name: s3 ? 'PostgreSQL and S3' : 'PostgreSQL', environment: postgres && environment }
}

/** Closes what would outlive an interrupted run, and ends with the signal's exit code. */
function closeOnInterrupt(): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 }
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => void running.disposeAsync().finally(() => process.exit(exitCode)))
  }
}

/** Unless somebody has chosen a folder for temporary files, they are kept in memory. */
function chooseTemporaryFolder(): void {
  if (process.env['TMPDIR'] !== undefined) return
  const folder = openMemoryFolder()
  if (!folder) return
  running.use(folder)
  process.env['TMPDIR'] = folder.path
}

type Grouping = (files: string[]) => string[][]

const oneByOne: Grouping = (files) => files.map((file) => [file])

function listEmbeddedJobs(files: string[], group: Grouping): TestJob[] {
  return group(files).map((files) => ({ files, name: describeFiles(files), env: process.env }))
}

function listEngineJobs(files: string[], group: Grouping, { name, environment }: Engine): TestJob[] {
  if (!environment) return []
  const env = { ...process.env, ...environment }
  const asking = files.filter((file) => asksForEngine(root, file))
  return group(asking).map((files) => ({ files, name: `${describeFiles(files)} on ${name}`, env }))
}

function describeFiles([first = '', ...others]: string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} other small files`
}

/**
 * Runs two processes for each processor, because about half of the time is spent on waiting.
 * The longest files mostly wait and the shortest mostly compute, so one of the two takes the longest first and the
 * other the shortest first. They meet at files of a few seconds, so that no processor waits for a long file at the end.
 * While the processors are idle for a part of the time, one more process for each takes the longest of what is left.
 * `more` are jobs that can begin only later.
 */
async function runJobs(
  jobs: TestJob[],
  options: Omit<TestOptions, 'root'>,
  more: Promise<TestJob[]> = Promise.resolve([]),
): Promise<JobResult[]> {
  const secondsOf = readSeconds()
  const estimate = ({ files }: TestJob) => files.reduce((sum, file) => sum + secondsOf(file), 0)
  const longerFirst = (a: TestJob, b: TestJob) => estimate(b) - estimate(a)
  const waiting = jobs.toSorted(longerFirst)
  const added = more.then((others) => waiting.push(...others)).then(() => waiting.sort(longerFirst))
  const results: JobResult[] = []
  const runWhile = async (take: () => TestJob | undefined) => {
    for (;;) {
      if (waiting.length === 0) await added
      const job = take()
      if (job === undefined) return
      results.push(await runTestJob(job, { root, ...options }))
    }
  }
  const longestFirst = () => runWhile(() => waiting.shift())
  const shortestFirst = () => runWhile(() => waiting.pop())
  const besideWaiting = async () => {
    await added
    while (waiting.length > 0) {
      const isIdle = (await measureBusyShare(idleAfterMs)) < mostBusyShare
      const job = isIdle ? waiting.shift() : undefined
      if (job) results.push(await runTestJob(job, { root, ...options }))
    }
  }
  const ofOneProcessor = () => [longestFirst(), shortestFirst(), besideWaiting()]
  await Promise.all(Array.from({ length: availableParallelism() }, ofOneProcessor).flat())
  return results
}

/** Prints what cannot be tested on this machine. In CI, where nothing may be skipped, each counts as a failure. */
function countMissing(missing: string[]): number {
  for (const line of missing) console.log(line)
  return process.env.CI === 'true' ? missing.length : 0
}

async function runEverything({ record }: TestArguments): Promise<void> {
  const missing = provision()
  chooseChromium()
  chooseTemporaryFolder()
  process.env['SERVER_OF_TESTS'] = await bundleServer()
  const files = findTestFiles(root, [])
  // Each file is measured by itself.
  const group = record ? oneByOne : groupSmallFiles
  // The S3 server takes some 15 seconds to start, and the checks use the processor alone, so the first tests need not
  // wait for either.
  const starting = startEngine()
  const checking = runChecks()
  const onEngine = starting.then((engine) => listEngineJobs(files, group, engine))
  const results = await runJobs(listEmbeddedJobs(files, group), { names: [], timeoutMs: fileTimeoutMs }, onEngine)
  const checks = await checking
  if (record) saveSeconds(results)
  report(results, checks.passed, checks.failed + countMissing(missing))
}

async function runChosen({ patterns, names, onPostgres }: TestArguments): Promise<void> {
  chooseChromium()
  chooseTemporaryFolder()
  const files = findTestFiles(root, patterns)
  const options = { names, timeoutMs: chosenTimeoutMs }
  if (!onPostgres) return report(await runJobs(listEmbeddedJobs(files, oneByOne), options))
  const engine = await startEngine()
  if (!engine.environment) throw new Error('PostgreSQL is not installed; npm test without arguments installs it')
  const jobs = listEngineJobs(files, oneByOne, engine)
  if (jobs.length === 0) throw new Error('none of these files asks which engine to use')
  report(await runJobs(jobs, options))
}

function report(results: JobResult[], passedBefore = 0, failedBefore = 0): void {
  printSlowest(results)
  for (const failure of results.flatMap(({ failures }) => failures)) console.log(`\n${failure}`)
  const passed = results.reduce((sum, one) => sum + one.passed, passedBefore)
  const failed = results.reduce((sum, one) => sum + one.failures.length, failedBefore)
  if (passed + failed === 0) throw new Error('no test has a name that matches')
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function readArguments(): TestArguments | undefined {
  try {
    return parseTestArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${toText(error)}\n\n${usage}`)
    return undefined
  }
}

/** Names the browser of all tests, unless somebody has chosen another. */
function chooseChromium(): void {
  if (!existsSync(headlessShell)) return
  process.env['CHROMIUM'] ??= headlessShell
}

async function main(): Promise<void> {
  const chosen = readArguments()
  process.exitCode = 2
  if (!chosen) return
  const isPart = chosen.patterns.length > 0 || chosen.names.length > 0 || chosen.onPostgres
  closeOnInterrupt()
  try {
    await (isPart ? runChosen(chosen) : runEverything(chosen))
  } catch (error) {
    console.error(toText(error))
  } finally {
    await running.disposeAsync()
  }
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

await main()
// A process that ignored the signal to end must not keep this one alive.
process.exit()
