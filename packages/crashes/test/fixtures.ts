import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the folder of shared crash payloads. It lies beside the project, not in it, so many checkouts have none. */
export function findFixtures(name: 'crashes' | 'native' = 'crashes'): string | undefined {
  let folder = import.meta.dirname
  while (folder !== dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', name)
    if (existsSync(candidate)) return candidate
    folder = dirname(folder)
  }
  return undefined
}
