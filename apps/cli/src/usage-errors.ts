import { ArgumentScannerError, formatMessageForArgumentScannerError } from '@stricli/core'
import { type RouteTree, routes } from './routes.ts'

/** Says what is wrong with the arguments. */
export function describeArguments(error: unknown): string {
  if (!(error instanceof ArgumentScannerError)) return error instanceof Error ? error.message : String(error)
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections }) =>
      `There is no flag --${input}${propose(corrections.map((name) => `--${name}`))}`,
    AliasNotFoundError: ({ input }) => `There is no flag -${input}`,
    UnsatisfiedFlagError: ({ externalFlagName: name, nextFlagName }) =>
      `--${name} needs a value${nextFlagName === undefined ? '' : `, and --${nextFlagName} follows`}`,
    UnexpectedFlagError: ({ externalFlagName: name, previousInput, input }) =>
      `--${name} is given twice, as "${previousInput}" and "${input}"`,
    EnumValidationError: ({ externalFlagName: name, values, input }) =>
      `--${name} is one of ${values.join(', ')}, and not "${input}"`,
    UnsatisfiedPositionalError: ({ placeholder, limit }) =>
      limit && limit[1] > 0
        ? `<${placeholder}> is needed ${limit[0]} times, and given ${limit[1]}`
        : `<${placeholder}> is missing`,
    UnexpectedPositionalError: ({ expectedCount, input }) =>
      `There are too many arguments: it takes ${expectedCount}, and "${input}" is one more`,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, exception }) =>
      `The value of ${name} is wrong: ${exception instanceof Error ? exception.message : String(exception)}`,
  })
}

export function describeUnknownCommand(input: string, corrections: readonly string[]): string {
  return `There is no command "${input}"${propose(corrections.map((name) => name.replaceAll('`', '')))}`
}

function propose(names: readonly string[]): string {
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`
}

/** The command whose help tells more: as many of the words as name a command, or a group of them. */
export function findHelp(args: readonly string[]): string {
  const path = ['fairlead']
  let tree: RouteTree | undefined = routes
  for (const word of args) {
    const route: RouteTree['routes'][string] | undefined = Object.hasOwn(tree.routes, word)
      ? tree.routes[word]
      : undefined
    if (route === undefined) break
    path.push(word)
    if (typeof route === 'function') break
    tree = route
  }
  return `${path.join(' ')} --help`
}
