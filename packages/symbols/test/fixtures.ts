import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of shared fixtures for symbols: `FAIRLEAD_FIXTURES`, or `shared/fixtures` beside any parent folder of this
 * file. They are not part of the project: if the folder does not exist, this is undefined and the tests that need it
 * are skipped.
 */
export function findFixtures(): string | undefined {
  const given = process.env['FAIRLEAD_FIXTURES']
  if (given !== undefined) return join(given, 'symbols')
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'symbols')
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return undefined
  }
}
