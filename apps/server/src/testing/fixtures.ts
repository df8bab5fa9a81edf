import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the folder of real builds, beside the project or below FAIRLEAD_FIXTURES; undefined when there is none. */
export function findBinaryFixtures(): string | undefined {
  const named = process.env['FAIRLEAD_FIXTURES']
  if (named !== undefined) return join(named, 'binaries')
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'binaries')
    if (existsSync(candidate)) return candidate
  }
  return undefined
}
