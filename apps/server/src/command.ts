/** The commands of `fairlead-server`. What a command needs is loaded only when it is called. */
import { readConfig } from './config.ts'
import type { Output } from './moving/command.ts'
import { serverVersion } from './server-version.ts'

const usage = `Usage: fairlead-server [command]

Without a command it serves. The settings come from the environment for commands as well.

  export FILE [--workspace ID]   writes everything, or one workspace, into an archive; continues one that was cut off
  import FILE                    reads an archive into this installation; stop the embedded default before
  verify FILE                    compares an archive with its digests, without importing it
  check [--bytes] [--repair]     compares rows and blobs; --bytes reads every blob, --repair removes orphans
  backup FOLDER                  copies the embedded default while it runs; the folder can be started as it is

  reset-password EMAIL           prints a link that sets a new password, once and within an hour
  grant-server-admin EMAIL       lets the account see all accounts and workspaces of the server
  revoke-server-admin EMAIL      takes that away
  make-admin EMAIL WORKSPACE     makes the account an administrator of the workspace with this id
  workspaces-without-admin       lists the workspaces that no person administrates
  forget-secrets                 gives up what was encrypted with a key that FAIRLEAD_SECRETS_KEY lacks

  --help, --version              print this, or the version

Exit codes: 0 all is well, 1 it failed, 2 wrong usage, 3 the check or the export found something that is missing.
`

const movingCommands = new Set(['export', 'import', 'verify', 'check', 'backup'])

/** The commands on accounts and workspaces, each with the number of its arguments. */
const accountCommands = new Map([
  ['reset-password', 1],
  ['grant-server-admin', 1],
  ['revoke-server-admin', 1],
  ['make-admin', 2],
  ['workspaces-without-admin', 0],
  ['forget-secrets', 0],
])

/** Runs a command and returns its exit code. Help and version need no settings, which may be what is wrong. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const [name = '', ...rest] = args
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    output.write(usage)
    return 0
  }
  if (name === '--version') {
    output.write(serverVersion)
    return 0
  }
  const code = await run(name, rest, env, output)
  if (code === 2) {
    const isKnown = movingCommands.has(name) || accountCommands.has(name)
    output.error(isKnown ? `The arguments of ${name} are not what it takes.\n` : `There is no command "${name}".\n`)
    output.error(usage)
  }
  return code
}

async function run(name: string, rest: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  if (movingCommands.has(name)) {
    const moving = await import('./moving/command.ts')
    return moving.runCommand([name, ...rest], readConfig(env), output)
  }
  if (accountCommands.get(name) !== rest.length) return 2
  const accounts = await import('./account-commands.ts')
  return accounts.runAccountCommand(name, rest, readConfig(env), output)
}
