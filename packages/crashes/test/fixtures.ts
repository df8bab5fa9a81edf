import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Finds the folder of shared crash payloads, below `FAIRLEAD_FIXTURES` or beside the project. It is not part of it, so
 * many checkouts have none.
 */
export function findFixtures(name: 'crashes' | 'native' = 'crashes'): string | undefined {
  const given = process.env['FAIRLEAD_FIXTURES']
  if (given !== undefined) return join(given, name)
  let folder = import.meta.dirname
  while (folder !== dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', name)
    if (existsSync(candidate)) return candidate
    folder = dirname(folder)
  }
  return undefined
}
