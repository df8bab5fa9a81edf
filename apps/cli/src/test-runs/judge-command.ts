import { CliError } from '../cli-error.ts'
import { describeError } from '../describe-error.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeNote, writeWarning } from '../output/write.ts'
import type { EndedCommand } from './run-child.ts'
import type { TestReport } from './send-reports.ts'
import { checkVerdict, type Verdict, verdictCodes } from './verdict.ts'

export interface JudgedCommand {
  command: EndedCommand
  report: TestReport
  verdict: Verdict
  /** The patterns at which the command wrote nothing. */
  unmatched: readonly string[]
  /** The tests of the base that did not run, as `findMissing` gives them. */
  missing: readonly string[]
  /** Whether failures that the base has as well are no failures of the command. */
  allowKnown: boolean
}

/**
 * Throws an error with the exit code of `tests run`, unless the tests passed, or failed only as flaky and quarantined
 * tests may. Everything that the reports do not explain keeps the exit code of the command.
 */
export function checkCommand(io: Io, judged: JudgedCommand): void {
  const { command, verdict, allowKnown } = judged
  if (verdict.result === 'pending') {
    writeWarning(io, 'The run is not complete, so there is no verdict')
    return passOn(command)
  }
  if (verdict.result === 'noTests') passOn(command)
  checkVerdict(verdict)
  if (command.code === 0) return
  const reason = findUnexplained(judged)
  if (reason !== undefined) {
    writeWarning(io, reason)
    return passOn(command)
  }
  if (verdict.counts.known > 0 && !allowKnown) {
    const fix = 'With --allow-known, failures that the base has as well are no failures of the command.'
    throw new CliError('failed', 'Tests failed as they do at the base', { code: verdictCodes.fail, fix })
  }
  writeNote(io, `The command ended with ${command.code}, but no test failed that counts`)
}

/** Why the failed tests of the reports may not be all that went wrong. */
function findUnexplained({ command, report, unmatched, missing }: JudgedCommand): string | undefined {
  // Shells report a command that cannot be started, or that a signal ended, by codes from 126 on.
  if (command.signal !== null || command.code >= 126) return 'The command did not end by itself'
  if (unmatched.length > 0) return `The command wrote no report at ${unmatched.join(', ')}`
  if (report.run.isIncomplete) return 'Parts of the run are missing'
  if (report.warnings.some(({ code }) => code === 'fewerThanAnnounced' || code === 'processCrashed')) {
    return 'The reports do not have all tests'
  }
  if (report.unlisted > 0) {
    return `The reports announce more tests or failures than they hold (${report.unlisted} more)`
  }
  if (report.counts.failed === 0) return 'The command failed, but none of the tests in its reports did'
  if (command.outsideError !== null) return `The output names an error outside of tests: ${command.outsideError}`
  const [first] = missing
  if (first !== undefined) {
    const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`
    return `Tests of the base did not run: ${toShownLine(first)}${others}`
  }
  return undefined
}

/** Throws an error with the exit code of the command, unless that is 0. */
export function passOn({ code, startFault }: EndedCommand): void {
  if (startFault !== null) throw new CliError('failed', startFault.message, { code, fix: startFault.fix })
  if (code !== 0) throw new CliError('failed', `The command ended with ${code}`, { code })
}

/**
 * Deals with an error of the server after the command has ended: the exit code of the command counts. Only what
 * somebody has to mend, such as a wrong token or alias, fails a command that succeeded.
 */
export function passOnWithoutServer(io: Io, command: EndedCommand, error: unknown): void {
  const { exit, message, httpStatus, details } = describeError(error, io.signal)
  if (exit === 'interrupted') throw error
  const isAway = exit === 'noAnswer' || (exit === 'notSignedIn' && httpStatus === null) || httpStatus === 429
  if (!isAway && command.code === 0) {
    throw new CliError(exit, `There is no verdict: ${message}`, { cause: error, code: verdictCodes.server })
  }
  writeWarning(io, `There is no verdict: ${[message, ...details].join('; ')}`)
  passOn(command)
}
