import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { readText } from '../lookups/read-input.ts'
import { toShownLine } from '../output/shown-text.ts'

export type SavedRules = Parameters<Client['retention']['save']>[1]
type Retention = Awaited<ReturnType<Client['retention']['get']>>

/** Reads rules from a file, or `-` for standard input. The server says what is wrong with them. */
export async function readRules(io: Io, path: string): Promise<SavedRules> {
  const text = await readText(io, path)
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server checks the rules
    return JSON.parse(text) as SavedRules
  } catch (error) {
    throw new CliError('usage', `${path} is not JSON`, {
      fix: 'Begin with what "fairlead retention show --json" prints.',
      cause: error,
    })
  }
}

/** Says in a line what a rule takes. */
export function describeRule({ branches, maxAgeDays, keepNewest }: Retention['rules'][number]): string {
  const shown = branches.map((pattern) => (pattern === '' ? '(no branch)' : toShownLine(pattern))).join(', ')
  const limits = [
    maxAgeDays === null ? null : `older than ${maxAgeDays} days`,
    keepNewest === null ? null : `beyond the newest ${keepNewest}`,
  ].filter((limit) => limit !== null)
  return `${shown}: ${limits.length === 0 ? 'keeps everything' : limits.join(' and ')}`
}
