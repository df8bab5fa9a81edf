/** Runs test files in a process of their own, prints the output at once when it has ended, and measures the process. */
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import { endOfFile } from './run-test-group.ts'

export interface TestJob {
  /** One file, or small ones that share a process; relative to the root of the repository. */
  files: string[]
  /** The files, and the engine unless it is the embedded one. */
  name: string
  /** All environment variables of the process. */
  env: NodeJS.ProcessEnv
}

export interface TestOptions {
  root: string
  /** Regular expressions for the names of the tests; empty for all. */
  names: string[]
  timeoutMs: number
  /** Takes what the tests print, in one piece; the standard output unless given. */
  print?: (text: string) => void
}

export interface JobResult {
  job: TestJob
  passed: number
  /** One text for each failure, with its cause. */
  failures: string[]
  seconds: number
  /** The processor time, or undefined when the process was killed. */
  cpuSeconds: number | undefined
}

/** Matches the summary that the reporter prints for each file. Only the totals of all files are printed. */
const summaryLine = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+\n/gm
const endOfFileLine = new RegExp(`^✔ ${endOfFile} .*\\n`, 'gm')
const groupRunner = join(import.meta.dirname, 'run-test-group.ts')
/** The modules that each test process loads first. */
const preloaded = ['watch-test-process.ts', 'start-bundled-workers.ts']
const imports = preloaded.flatMap((name) => ['--import', new URL(name, import.meta.url).href])
let started = 0

/** Counts tests without suites and without those that were skipped. */
export async function runTestJob(job: TestJob, options: TestOptions): Promise<JobResult> {
  const { root, names, timeoutMs, print = (text) => process.stdout.write(text) } = options
  const begin = performance.now()
  const paths = job.files.map((file) => join(root, file))
  const cpuFile = join(tmpdir(), `fairlead-cpu-${process.pid}-${started++}`)
  const result: JobResult = { job, passed: 0, failures: [], seconds: 0, cpuSeconds: undefined }
  const stream = run({
    ...(paths.length === 1 ? { files: paths } : { files: [groupRunner], argv: paths }),
    // A suite that the names leave out may have opened a server, and its hooks, which close it, do not run.
    execArgv: [...imports, ...(names.length > 0 ? ['--test-force-exit'] : [])],
    env: { ...job.env, FAIRLEAD_TEST_CPU_FILE: cpuFile },
    ...(names.length > 0 && { testNamePatterns: names }),
    // The runner's own `timeout` ends tests, but not a process that a forgotten timer or an endless loop keeps alive.
    signal: AbortSignal.timeout(timeoutMs),
  })
  let ended = 0
  stream.on('test:pass', (event) => {
    if (event.name === endOfFile) ended++
    // The runner reports a file in which no test ran, for example because no name matches, as a test with its path.
    const isTest = event.details.type !== 'suite' && event.name !== paths[0] && event.name !== endOfFile
    if (isTest && event.skip === undefined) result.passed++
  })
  stream.on('test:fail', (event) => {
    // A suite fails with its tests, which are counted already, or by itself, for example when its server does not
    // start.
    const { type, error } = event.details
    if (type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed') return
    const place = `${job.name}: ${event.name} (${event.file}:${event.line})`
    result.failures.push(`✖ ${place}\n${inspect(error.cause ?? error).slice(0, 4000)}`)
  })
  let output = ''
  for await (const line of stream.compose(new spec())) output += String(line)
  // A pattern leaves out the tests that mark the ends.
  if (paths.length > 1 && names.length === 0 && ended < paths.length) {
    result.failures.push(`✖ ${job.name}: the process ended in ${job.files[ended]}`)
  }
  result.seconds = (performance.now() - begin) / 1000
  result.cpuSeconds = readCpuSeconds(cpuFile)
  const cpu = result.cpuSeconds === undefined ? '' : `, ${result.cpuSeconds.toFixed(1)} s of processor time`
  const title = `\n# ${job.name} (${result.seconds.toFixed(1)} s${cpu})\n\n`
  print(title + output.replaceAll(summaryLine, '').replaceAll(endOfFileLine, ''))
  return result
}

function readCpuSeconds(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  } finally {
    rmSync(file, { force: true })
  }
}
