import { toEntryPath, type UploadEntry } from './upload.ts'

export interface PathIndex {
  /**
   * Finds the entry that a path in a report refers to. Among the entries with the same last segment, it is the one that
   * shares the longest end of the path, and among equals the one nearest to the report; undefined if there is none or
   * several remain.
   */
  find(path: string, source: string): UploadEntry | undefined
}

export function createPathIndex(entries: readonly UploadEntry[]): PathIndex {
  const byName = Map.groupBy(entries, ({ path }) => path.slice(path.lastIndexOf('/') + 1))
  return {
    find(path, source) {
      const wanted = toEntryPath(path.replace(/^file:\/\//i, ''))
      const candidates = byName.get(wanted.slice(wanted.lastIndexOf('/') + 1)) ?? []
      const ranked = candidates
        .map((entry) => ({
          entry,
          rank: countEqualEnd(entry.path, wanted) * 1e6 + countEqualStart(entry.path, source),
        }))
        .sort((a, b) => b.rank - a.rank)
      const [first, second] = ranked
      if (!first || first.entry.path === source) return undefined
      return second && second.rank === first.rank ? undefined : first.entry
    },
  }
}

/** Counts the segments that two paths share at their end. */
function countEqualEnd(a: string, b: string): number {
  const [left, right] = [a.split('/').reverse(), b.split('/').reverse()]
  const unequal = left.findIndex((segment, index) => segment !== right[index])
  return unequal === -1 ? left.length : unequal
}

/** Counts the folders that two paths share at their start. */
function countEqualStart(a: string, b: string): number {
  const [left, right] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)]
  const unequal = left.findIndex((segment, index) => segment !== right[index])
  return unequal === -1 ? left.length : unequal
}
