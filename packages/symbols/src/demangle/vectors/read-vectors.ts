import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Vector {
  name: string
  full: string
  /** The short form, which not every table has. */
  short: string | undefined
}

/**
 * Parses a table with one name per line: the mangled name, its full form and optionally its short form, separated by
 * tabs.
 */
export function readVectors(path: string): Vector[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [name = '', full = '', short] = line.split('\t')
    return { name, full, short }
  })
}

/**
 * Returns the folder of the reference tables beside the project, if it exists: `FAIRLEAD_FIXTURES`, or
 * `shared/fixtures` in a parent folder.
 */
export function findFixtures(): string | undefined {
  const named = process.env['FAIRLEAD_FIXTURES']
  if (named !== undefined) return existsSync(named) ? named : undefined
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const fixtures = join(folder, 'shared', 'fixtures')
    if (existsSync(fixtures)) return fixtures
  }
  return undefined
}
