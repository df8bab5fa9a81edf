import type { TestDuration } from '@fairlead/client'
import type { WeighedFile } from './deal.ts'

export interface Weighed {
  files: WeighedFile[]
  /** The files of which no test is known; they weigh as much as the median of the others. */
  unknown: string[]
}

/**
 * Gives each file the durations of its tests. Reports name files in several ways: by a path from some folder, as the
 * suite, or by a class whose packages are folders (`shop.CartTest`, `tests.test_cart.TestCart`). The file whose path
 * agrees with such a name in the most folders has the duration; if several agree equally, they share it.
 */
export function weighFiles(paths: readonly string[], durations: readonly TestDuration[]): Weighed {
  const byName = Map.groupBy(
    paths.map((path) => ({ path, parts: toParts(path) })),
    ({ parts }) => parts.at(-1) ?? '',
  )
  const found = new Map<string, number>()
  for (const duration of durations) {
    const owners = findOwners(byName, duration)
    for (const path of owners) found.set(path, (found.get(path) ?? 0) + duration.durationMs / owners.length)
  }
  // Without any duration, all files weigh the same.
  const typical = found.size === 0 ? 1 : toMedian([...found.values()])
  return {
    files: paths.map((path) => ({ path, durationMs: found.get(path) ?? typical })),
    unknown: paths.filter((path) => !found.has(path)),
  }
}

interface Candidate {
  path: string
  parts: string[]
}

/** Compares the names of a duration with the files, the surest first. */
function findOwners(
  byName: ReadonlyMap<string, Candidate[]>,
  { file, class: className, suite }: TestDuration,
): string[] {
  for (const name of [file, className, suite]) {
    if (name === null || name === '') continue
    for (const parts of listReadings(name)) {
      const owners = findBest(byName.get(parts.at(-1) ?? '') ?? [], parts)
      if (owners.length > 0) return owners
    }
  }
  return []
}

const extension =
  /\.(?:[cm]?[jt]sx?|py|kts?|java|groovy|scala|swift|mm?|dart|go|rb|php|cs|cc|cpp|rs|exs?|vue|feature)$/i

/** Lists the files that a name may mean: a path, or a class in the file of its outer class or module, by level. */
function listReadings(name: string): string[][] {
  if (/[/\\]/.test(name) || extension.test(name)) return [toParts(name)]
  const [outer = ''] = name.split('$', 1)
  const levels = outer.split('.').filter((part) => part !== '')
  return [0, 1, 2].map((left) => levels.slice(0, levels.length - left)).filter(({ length }) => length > 0)
}

/** The candidates that agree with the end of the name in the most parts; a name may begin above or below a folder. */
function findBest(candidates: readonly Candidate[], name: readonly string[]): string[] {
  const rated = candidates.flatMap(({ path, parts }) => {
    const common = countCommonEnd(parts, name)
    return common === Math.min(parts.length, name.length) ? [{ path, common }] : []
  })
  const most = Math.max(0, ...rated.map(({ common }) => common))
  return rated.filter(({ common }) => common === most).map(({ path }) => path)
}

function countCommonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++
  return count
}

/** The folders and the name of a file, without the last extension. */
function toParts(path: string): string[] {
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  const name = parts.pop() ?? ''
  return [...parts, name.replace(/(?<=.)\.\w+$/, '')]
}

function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}
