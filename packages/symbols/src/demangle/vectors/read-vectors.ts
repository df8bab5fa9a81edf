import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Vector {
  name: string
  full: string
  /** Not every table has it. */
  short: string | undefined
}

/** One name a line, its full form and its short form behind tabs. */
export function readVectors(path: string): Vector[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [name = '', full = '', short] = line.split('\t')
    return { name, full, short }
  })
}

/**
 * The folder of truth tables kept beside the project, if it is there: `FAIRLEAD_FIXTURES`, or a `shared/fixtures`
 * above.
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
