import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the folder of shared crash payloads. It lies beside the project, not in it, so many checkouts have none. */
export function findFixtures(): string | undefined {
  let folder = import.meta.dirname
  while (folder !== dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'crashes')
    if (existsSync(candidate)) return candidate
    folder = dirname(folder)
  }
  return undefined
}
