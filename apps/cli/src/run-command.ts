import { type Application, buildApplication, proposeCompletions, type RouteMap, run, text_en } from '@stricli/core'
import { CliError, exitCodes } from './cli-error.ts'
import type { CliContext } from './context.ts'
import type { Io } from './io.ts'
import { loadRoutes } from './load-routes.ts'
import { addProjectFlags } from './project-flags.ts'
import { useProxies } from './settings/proxies.ts'
import { describeArguments, describeUnknownCommand, findHelp } from './usage-errors.ts'
import { readVersion } from './version.ts'

/** Finds the command that the arguments name, runs it, and returns the exit code. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  if (args[0] === '__complete') return await completeWords(args.slice(1), io)
  // Arguments after "--" belong to the command that `tests run` starts.
  const end = args.indexOf('--')
  const own = askForHelp(end === -1 ? args : args.slice(0, end))
  const foreign = end === -1 ? [] : args.slice(end)
  const isDebugging = own.includes('--debug')
  useProxies(io)
  const faults: Faults = { usage: [], failures: [] }
  const process = openParserProcess(io)
  try {
    const words = own.filter((arg) => arg !== '--debug')
    const given = [...(await addProjectFlags(words, io)), ...foreign]
    await run(openApplication(await loadRoutes(given), io, faults), given, { process, io })
  } catch (error) {
    // A fault of the project file is found before the parser runs, which would catch those of the command.
    faults.failures.push(error)
  }
  const [error] = faults.usage.length > 0 ? [toUsageError(own, faults.usage)] : faults.failures
  if (error !== undefined) {
    const { describeError } = await import('./describe-error.ts')
    const { formatError } = await import('./output/format-error.ts')
    const described = describeError(error, io.signal)
    const asJson = own.includes('--json')
    io.stderr.write(formatError(io, described, { asJson, stack: isDebugging ? error : undefined }))
    return described.exitCode
  }
  const code = Number(process.exitCode ?? 0)
  // Negative codes are the parser's own.
  return code < 0 ? exitCodes.usage : code
}

/** `help builds upload` is what other programs have for `builds upload --help`. */
function askForHelp(args: readonly string[]): readonly string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

/** The faults that the parser found. */
interface Faults {
  /** Sentences about an unknown command, or a missing or wrong argument. */
  readonly usage: string[]
  /** Errors that the command threw. */
  readonly failures: unknown[]
}

function toUsageError(args: readonly string[], faults: readonly string[]): CliError {
  const fix = `Run "${findHelp(args)}" to see what it takes.`
  return new CliError('usage', faults.join('; '), { fix })
}

function openApplication(routes: RouteMap<CliContext>, io: Io, faults: Faults): Application<CliContext> {
  // The caller reports errors, in one form for people and one for scripts, so the parser must not print them.
  const remember = (error: unknown) => {
    faults.failures.push(error)
    return ''
  }
  const rememberUsage = (fault: string) => {
    faults.usage.push(fault)
    return ''
  }
  return buildApplication(routes, {
    name: 'fairlead',
    versionInfo: { currentVersion: readVersion() },
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: {
      caseStyle: 'convert-camel-to-kebab',
      onlyRequiredInUsageLine: true,
      disableAnsiColor: io.stdout.isTTY !== true || (io.env.NO_COLOR ?? '') !== '',
    },
    localization: {
      text: {
        ...text_en,
        noCommandRegisteredForInput: (input) => rememberUsage(describeUnknownCommand(input.input, input.corrections)),
        exceptionWhileParsingArguments: (error) => rememberUsage(describeArguments(error)),
        exceptionWhileRunningCommand: remember,
        exceptionWhileLoadingCommandFunction: remember,
        commandErrorResult: remember,
      },
    },
  })
}

/** Matches the default of a switch in the help. With colours, the parser prints its own words faintly. */
// oxlint-disable-next-line no-control-regex -- these are the escape sequences of a terminal
const switchDefault = / +\[(?:\x1b\[2m)?default =(?:\x1b\[22m)? false\]/g

/** The part of the process that the parser uses: it writes to its streams and sets its exit code. */
function openParserProcess({ stdout, stderr, env }: Io) {
  return {
    // The help would name the default of every switch, and that is always "off".
    stdout: { write: (text: string) => stdout.write(text.replaceAll(switchDefault, '')) },
    // An error that the caller reports leaves an empty line here.
    stderr: { write: (text: string) => void (text.trim() === '' || stderr.write(text)) },
    env,
    // The parser assigns this property; the type is the parser's.
    exitCode: null as number | string | null,
  }
}

/** Prints proposals for the last word, one a line, for the completion scripts of shells. */
async function completeWords(words: readonly string[], io: Io): Promise<number> {
  const routes = await loadRoutes(words.slice(0, -1), { withDefaults: false })
  const application = openApplication(routes, io, { usage: [], failures: [] })
  const process = openParserProcess(io)
  for (const { completion } of await proposeCompletions(application, words, { process, io })) {
    io.stdout.write(`${completion}\n`)
  }
  return exitCodes.done
}
