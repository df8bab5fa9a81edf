import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of real reports beside the project, or below the one FAIRLEAD_FIXTURES names; undefined where there is
 * none.
 */
export function findReportFixtures(): string | undefined {
  const named = process.env['FAIRLEAD_FIXTURES']
  if (named !== undefined) return join(named, 'test-reports')
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'test-reports')
    if (existsSync(candidate)) return candidate
  }
  return undefined
}
