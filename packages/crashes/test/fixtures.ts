import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of shared crash payloads, which lies beside the project and not in it; undefined where there is none. */
export function findFixtures(): string | undefined {
  let folder = import.meta.dirname
  while (folder !== dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'crashes')
    if (existsSync(candidate)) return candidate
    folder = dirname(folder)
  }
  return undefined
}
