import { obstacleWords } from './install-obstacle-words.ts'
import {
  type BuildObstacle,
  findBuildObstacles,
  type InstalledBuild,
  preventsInstallation,
} from './install-obstacles.ts'

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

/** Sentences of `packages/binary` that say the same as an obstacle, which replaces them. */
const replaced: Partial<Record<BuildObstacle['kind'], RegExp>> = {
  partOfApp: /cannot be installed alone/,
  testOnly: /marked as for testing only/,
  simulatorOnly: /built for the simulator/,
  notSigned: /APK is not signed|has no provisioning profile/,
  oldSignature: /scheme v2 is missing/,
}

export interface BuildWarnings {
  /** False if no device accepts the build. */
  isInstallable: boolean
  /** Sentences: first the obstacles that the install page shows, then other warnings of the reader of binaries. */
  warnings: string[]
}

/** Describes what may prevent a build's installation, by the same rule as the install page. */
export function describeWarnings(
  build: InstalledBuild & { details: { warnings: string[] } },
  now: number,
): BuildWarnings {
  // These profiles are made for a list of registered devices, so the list is no reason for a warning.
  const obstacles = findBuildObstacles(build, now)
    .filter(({ kind }) => kind !== 'registeredDevicesOnly')
    .toSorted((a, b) => Number(preventsInstallation(b)) - Number(preventsInstallation(a)))
  const others = build.details.warnings.filter((text) => !obstacles.some(({ kind }) => replaced[kind]?.test(text)))
  return {
    isInstallable: !obstacles.some(preventsInstallation),
    warnings: [...new Set([...obstacles.map(explain), ...others])],
  }
}

function explain(obstacle: BuildObstacle): string {
  // The table maps each kind to a function of that kind; TypeScript cannot express this correlation for a union.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  const explainKind = obstacleWords[obstacle.kind] as (
    obstacle: BuildObstacle,
    formatDate: (instant: number) => string,
  ) => { title: string; text: string }
  const { title, text } = explainKind(obstacle, (instant) => dateFormat.format(instant))
  return `${title}. ${text}`
}
