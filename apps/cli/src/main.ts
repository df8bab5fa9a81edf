import type { Io } from './io.ts'
import { readVersion } from './version.ts'

/** Runs one command line and gives the exit code. Nothing here or below it ends the process. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  // Nothing else is loaded for it: scripts ask often, and want only a line.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    io.stdout.write(`${readVersion()}\n`)
    return 0
  }
  const { runCommand } = await import('./run-command.ts')
  return await runCommand(args, io)
}
