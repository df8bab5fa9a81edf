/**
 * `npm test`: every check and every test, the server's on both databases, then one line `N passed, N failed`.
 * Arguments are globs of test files, for a part of it: `npm test -- 'packages/binary/**\/*.test.ts'`.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import { runChecks } from './check.ts'
import { startPostgres } from './postgres.ts'
import { provision } from './provision.ts'
import { startRadosgw } from './radosgw.ts'

interface Count {
  passed: number
  failed: number
}

/** Failures with their causes, printed again at the very end. */
const failures: string[] = []

const root = join(import.meta.dirname, '..')
// Test processes and the servers they start share V8's compile cache; half of a start goes into reading TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/fairlead')
/**
 * The time limit for the process of a test file. The longest takes about a tenth of it on a slow machine. Chosen tests
 * may run in their long forms, such as ten minutes of failing replicas.
 */
const fileTimeoutMs = process.argv.length > 2 ? 3_600_000 : 600_000
/** Matches the summary that the reporter prints for each file. Only the totals of all files are printed. */
const summaryLine = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+\n/gm
const stuckReporter = new URL('report-stuck-test.ts', import.meta.url).href
const serverTests = ['apps/server/src/**/*.test.ts']
/** The end-to-end tests that read the database from the environment, so that they run on both. */
const processTests = ['test/hold-up.test.ts', 'test/ios-crashes.test.ts', 'test/kill-during-crash-intake.test.ts']
const everything = [
  'packages/*/{src,test}/**/*.test.ts',
  ...serverTests,
  'apps/dashboard/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
]

/** Runs each test file in a process of its own, two at a time, and counts tests without counting suites. */
async function runTests(title: string, patterns: string[]): Promise<Count> {
  console.log(`\n# ${title}\n`)
  const waiting = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).map((file) => join(root, file))
  const count = { passed: 0, failed: 0 }
  const runNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await runFile(title, file, count)
  }
  await Promise.all([runNext(), runNext()])
  return count
}

/** Adds the tests of one file to the count, and prints its output when it has ended, so that outputs do not mix. */
async function runFile(title: string, file: string, count: Count): Promise<void> {
  // The runner's own `timeout` ends tests, but not a process that a forgotten timer or an endless loop keeps alive.
  const signal = AbortSignal.timeout(fileTimeoutMs)
  const stream = run({ files: [file], execArgv: ['--import', stuckReporter], signal })
  stream.on('test:pass', (event) => {
    if (event.details.type !== 'suite' && event.skip === undefined) count.passed++
  })
  stream.on('test:fail', (event) => {
    // A suite fails with its tests, which are counted already, or by itself, for example when its server does not
    // start.
    const { type, error } = event.details
    if (type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed') return
    count.failed++
    failures.push(
      `✖ ${title}: ${event.name} (${event.file}:${event.line})\n${inspect(error.cause ?? error).slice(0, 4000)}`,
    )
  })
  let output = ''
  for await (const line of stream.compose(new spec())) output += String(line)
  process.stdout.write(output.replaceAll(summaryLine, ''))
}

/** Runs the server's tests again over a real PostgreSQL and a real S3 server. */
async function runOnEngines(): Promise<Count> {
  using postgres = await startPostgres()
  if (!postgres) return { passed: 0, failed: 0 }
  process.env.FAIRLEAD_TEST_DATABASE_URL = postgres.url
  await using s3 = await startRadosgw()
  if (s3) {
    Object.assign(process.env, s3.environment)
    process.env.FAIRLEAD_TEST_STORAGE_URL = await s3.createBucket('fairlead')
  }
  return await runTests(s3 ? 'the server on PostgreSQL and S3' : 'the server on PostgreSQL', [
    ...serverTests,
    ...processTests,
  ])
}

/** Prints what cannot be tested on this machine. In CI, where nothing may be skipped, each counts as a failure. */
function reportMissing(missing: string[]): Count {
  for (const line of missing) console.log(line)
  return { passed: 0, failed: process.env.CI === 'true' ? missing.length : 0 }
}

async function runAll(): Promise<Count[]> {
  const missing = provision()
  const checks = runChecks()
  const counts = [checks, await runTests('everything, the server on SQLite', everything), await runOnEngines()]
  return [...counts, reportMissing(missing)]
}

const patterns = process.argv.slice(2)
const counts = patterns.length > 0 ? [await runTests('chosen tests', patterns)] : await runAll()
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
for (const failure of failures) console.log(`\n${failure}`)
console.log(`${passed} passed, ${failed} failed`)
// A process that ignored the signal to end must not keep this one alive.
process.exit(failed === 0 ? 0 : 1)
