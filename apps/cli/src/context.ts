import type { CommandContext } from '@stricli/core'
import type { Io } from './io.ts'

/** The context that the argument parser passes to the function of a command. */
export interface CliContext extends CommandContext {
  readonly io: Io
}
