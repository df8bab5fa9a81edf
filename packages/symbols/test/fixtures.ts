import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A folder of shared fixtures, by default that for symbols: below `FAIRLEAD_FIXTURES`, or `shared/fixtures` beside any
 * parent folder of this file. They are not part of the project: if the folder does not exist, this is undefined and the
 * tests that need it are skipped.
 */
export function findFixtures(name: 'symbols' | 'native' = 'symbols'): string | undefined {
  const given = process.env['FAIRLEAD_FIXTURES']
  if (given !== undefined) return join(given, name)
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', name)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return undefined
  }
}
