import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the folder of real builds, beside the project or below FAIRLEAD_FIXTURES; undefined when there is none. */
export function findBinaryFixtures(): string | undefined {
  return findFixtures('binaries')
}

/** Returns the folder of real test reports, like `findBinaryFixtures`. */
export function findReportFixtures(): string | undefined {
  return findFixtures('test-reports')
}

/** Returns the folder of native libraries, source maps and their crashes, like `findBinaryFixtures`. */
export function findNativeFixtures(): string | undefined {
  return findFixtures('native')
}

function findFixtures(name: string): string | undefined {
  const named = process.env['FAIRLEAD_FIXTURES']
  if (named !== undefined) return join(named, name)
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', name)
    if (existsSync(candidate)) return candidate
  }
  return undefined
}
