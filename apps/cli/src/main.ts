import type { Io } from './io.ts'
import { readVersion } from './version.ts'

/** Runs one command line and returns the exit code. Nothing in it ends the process. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  // The version is printed before anything else is loaded, because scripts ask for it often.
  if (args.length === 1 && ['--version', '-v', '-V', 'version'].includes(args[0] ?? '')) {
    io.stdout.write(`${readVersion()}\n`)
    return 0
  }
  const { runCommand } = await import('./run-command.ts')
  return await runCommand(args, io)
}
