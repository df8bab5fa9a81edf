/**
 * Real builds for tests. They are not part of the repository; tests that need them run only where the folder exists.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Path of `shared/fixtures/binaries` beside the repository, or below the folder that FAIRLEAD_FIXTURES names. */
export const fixturesFolder = findFixtures()

function findFixtures(): string | undefined {
  const named = process.env['FAIRLEAD_FIXTURES']
  if (named !== undefined) return join(named, 'binaries')
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'fixtures', 'binaries')
    if (existsSync(candidate)) return candidate
  }
  return undefined
}

/** What other tools found in a fixture. */
export interface Truth {
  permissions?: string[]
  abis?: string[]
  apksigner?: ApksignerTruth
  family?: number[]
  iconPngs?: unknown[]
  prov?: ProfileTruth
  [field: string]: unknown
}

export interface ApksignerTruth {
  verifies: boolean
  /** Names of the schemes that the other tool found, best only. */
  schemes?: string[]
  certSha256?: string[]
}

export interface ProfileTruth {
  type: string
  name: string
  uuid: string
  team: string | null
  teamId: string
  expires: string
  created: string
  devices: number | null
  appId: string
  entKeys: string[]
}

export interface FixtureRow {
  file: string
  path: string
  truth: Truth
}

/** Lists the rows of MANIFEST.tsv: file, size, hash, origin and, as JSON, the true values according to other tools. */
export function listFixtures(): FixtureRow[] {
  if (fixturesFolder === undefined) return []
  const folder = fixturesFolder
  const lines = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1)
  return lines.map((line) => {
    const columns = line.split('\t')
    const file = columns[0] ?? ''
    const truth: Truth = JSON.parse(columns[6] ?? '{}')
    return { file, path: join(folder, file), truth }
  })
}
