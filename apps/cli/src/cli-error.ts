/** The exit codes of `fairlead`. The help lists them, and scripts may rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notAllowed: 4,
  notFound: 5,
  refused: 6,
  noAnswer: 7,
  incomplete: 8,
  interrupted: 130,
} as const

export type ExitName = keyof typeof exitCodes

const exitMeanings: Record<ExitName, string> = {
  done: 'done',
  failed: 'failed for another reason; --debug shows more',
  usage: 'the command line is wrong',
  notSignedIn: 'no server or token is set, or the server does not know the token',
  notAllowed: 'the role of the token does not allow it',
  notFound: 'the application, build, group or file does not exist',
  refused: 'the file or the request was refused',
  noAnswer: 'the server cannot be reached, or failed',
  incomplete: 'done in part: symbols are missing, or some items were not taken',
  interrupted: 'interrupted by Ctrl-C',
}

/** Every exit code with what it means, in ascending order. */
export function listExits(): { code: number; meaning: string }[] {
  const codes = new Map<string, number>(Object.entries(exitCodes))
  return Object.entries(exitMeanings).flatMap(([name, meaning]) => {
    const code = codes.get(name)
    return code === undefined ? [] : [{ code, meaning }]
  })
}

interface CliErrorOptions extends ErrorOptions {
  /** A sentence that says what to do about it. */
  fix?: string | undefined
  /** An exit code other than that of the name, for commands that have codes of their own. */
  code?: number | undefined
}

/** A failure with a message for the user: what is wrong, and what to do about it. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: ExitName
  readonly fix: string | undefined
  readonly code: number | undefined

  constructor(exit: ExitName, message: string, { fix, code, ...options }: CliErrorOptions = {}) {
    super(message, options)
    this.exit = exit
    this.fix = fix
    this.code = code
  }
}
