import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { writeTemporaryFile } from '../../files/temporary-file.ts'
import type { ZipEntry } from '../../files/temporary-zip.ts'
import { listFlag, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { findMissing } from '../../test-runs/find-missing.ts'
import { checkCommand, passOn, passOnWithoutServer } from '../../test-runs/judge-command.ts'
import { reportFlags, type ReportFlags } from '../../test-runs/report-flags.ts'
import { type EndedCommand, runChild } from '../../test-runs/run-child.ts'
import { type TestResult, type TestRun, writeResults, writeRun } from '../../test-runs/run-output.ts'
import { sendReports, type TestReport } from '../../test-runs/send-reports.ts'
import { awaitVerdict, parseDuration, type Verdict, verdictCodes, writeVerdict } from '../../test-runs/verdict.ts'
import { watchReports } from '../../test-runs/watch-reports.ts'

interface Flags extends RemoteFlags, ReportFlags {
  readonly report?: readonly string[]
  readonly keepOpen: boolean
  readonly wait: number
  readonly allowKnown: boolean
}

export const command = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Run a command, upload the test reports that it writes, and end with the verdict',
    fullDescription: [
      'Takes the reports that the command wrote: those of --report, or those in the usual places of Gradle, Maven,',
      'Jest, Playwright, CTRF, Allure and Xcode below the current folder. Signals go on to the command. Its output',
      'stays as it is; what this program says goes to standard error. Exit codes:',
      '',
      '    0  the command succeeded, or only flaky and quarantined tests failed',
      '    1  tests failed',
      '    2  the command line is wrong',
      '    3  the server refused the reports, and the command succeeded',
      '    4  there are no tests, and the command succeeded',
      '    5  only the machine failed, not the tests',
      '',
      'A program that is not found gives 127, and one that cannot be started 126.',
      '',
      'The exit code of the command is kept when the server does not answer, when no server or token is set, when the',
      'run is not complete in time, and when the command failed for a reason that its reports do not show: tests of',
      'the base are missing, or the output names an error outside of tests. A command that fails and writes no report',
      'leaves a failed run.',
      '',
      '  fairlead tests run --app shop -- ./gradlew testDebugUnitTest',
      "  fairlead tests run --app shop --report 'build/*.junit' -- bundle exec fastlane test",
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { brief: 'The command and its arguments, after --', placeholder: 'command', parse: String },
    },
    flags: {
      ...reportFlags,
      report: listFlag('A report, a folder or a pattern between quotation marks; may be given several times', 'file'),
      keepOpen: switchFlag('Other jobs send reports of this run: do not complete it'),
      wait: {
        kind: 'parsed',
        parse: parseDuration,
        brief: 'Wait for the other shards of the run at most this long: 90s, 10m, 1h',
        placeholder: 'time',
        default: '10m',
      },
      allowKnown: switchFlag('End with 0 if only tests failed that fail at the base as well'),
      ...remoteFlags,
    },
  },
  func(flags, ...words) {
    return runTests(this.io, flags, words)
  },
})

interface Answer {
  report: TestReport
  run: TestRun
  verdict: Verdict
  failures: TestResult[]
  /** The tests of the base that did not run. */
  missing: string[]
}

async function runTests(io: Io, flags: Flags, words: readonly string[]): Promise<void> {
  const listWritten = await watchReports(io.cwd, flags.report ?? [])
  const command = await runChild(io, words, { toStderr: flags.json })
  if (io.signal.aborted) {
    const code = command.code === 0 ? undefined : command.code
    throw new CliError('interrupted', 'Interrupted, so no report was sent', { code })
  }
  const { files, unmatched } = await listWritten()
  if (files.length === 0) return endWithoutReports(io, flags, command)
  const answer = await askServer(io, flags, files, command).catch((error: unknown) =>
    passOnWithoutServer(io, command, error),
  )
  if (!answer) return
  const { report, run, verdict, failures, missing } = answer
  writeResult(io, flags.json, { command, run, verdict, failures }, () => {
    // Standard output belongs to the command.
    const notes = { ...io, stdout: io.stderr }
    writeRun(notes, run)
    writeResults(notes, failures)
    writeVerdict(notes, verdict)
  })
  const { allowKnown } = flags
  checkCommand(io, { command, report: { ...report, run }, verdict, unmatched, missing, allowKnown })
}

/** A command that fails before it writes a report leaves a failed run, which says that its process crashed. */
async function endWithoutReports(io: Io, flags: Flags, command: EndedCommand): Promise<void> {
  if (command.code !== 0) {
    const why = command.startFault?.message ?? `the command ended with ${command.code} and wrote no test report`
    // Names of programs may hold what XML reserves.
    const text = `Process crashed: ${why.replace(/[&<]/g, ' ')}`
    await using file = await writeTemporaryFile(
      'no-report.xml',
      `<testsuite name="no report" tests="0"><system-err>${text}</system-err></testsuite>\n`,
    )
    try {
      await askServer(io, { ...flags, wait: 0 }, [file], command)
    } catch (error) {
      passOnWithoutServer(io, command, error)
    }
  }
  passOn(command)
  throw new CliError('failed', 'The command wrote no test report', {
    code: verdictCodes.noTests,
    fix: "Say where its reports are: --report 'app/build/**/TEST-*.xml'",
  })
}

/** The most failed tests that are listed. */
const maxFailures = 100

async function askServer(io: Io, flags: Flags, files: readonly ZipEntry[], command: EndedCommand): Promise<Answer> {
  const { client } = await openSession(io, flags)
  const report = await sendReports(io, client, flags, files)
  const { id, shards } = report.run
  if (shards.expected === null && !flags.keepOpen) await client.tests.completeRun(id)
  const verdict = await awaitVerdict(
    io,
    () => client.tests.getVerdict(id, { reportId: report.id }),
    flags.keepOpen ? 0 : flags.wait,
  )
  const run = await client.tests.getRun(id)
  const { items: failures } = await client.tests.listResults(id, {
    outcome: 'failed',
    reportId: report.id,
    limit: maxFailures,
  })
  // A part of a run lacks the tests of the other parts.
  const isWhole = run.state === 'complete' && run.shards.expected === null
  const missing = isWhole && command.code !== 0 ? await findMissing(client, { ...report, run }, verdict) : []
  return { report, run, verdict, failures, missing }
}
