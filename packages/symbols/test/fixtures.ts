import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of shared fixtures for symbols, which lies beside the project and not in it: `FAIRLEAD_FIXTURES`, or
 * `shared/fixtures` beside any folder above this one. Undefined where it is not there; tests over it are then skipped.
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
