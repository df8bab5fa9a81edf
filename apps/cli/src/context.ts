import type { CommandContext } from '@stricli/core'
import type { Io } from './io.ts'

/** What the argument parser hands to the function of a command. */
export interface CliContext extends CommandContext {
  readonly io: Io
}
