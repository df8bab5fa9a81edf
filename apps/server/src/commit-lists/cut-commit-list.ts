import { commitLimits } from '@fairlead/contract'

interface CutValue {
  /** The value without the files and hunks beyond the limits. */
  value: unknown
  isTruncated: boolean
  /** How many files each commit has, those that were left out included. */
  fileCounts: number[]
}

/** Leaves out what is over a limit before the rest is checked, so that the work is bounded. */
export function cutCommitList(value: unknown): CutValue {
  const fileCounts: number[] = []
  let isTruncated = false
  let left: number = commitLimits.files
  const cut = <Item>(items: Item[], most: number): Item[] => {
    if (items.length > most) isTruncated = true
    return items.slice(0, most)
  }
  const commits = listOf(value, 'commits')?.map((commit) => {
    const files = listOf(commit, 'files')
    fileCounts.push(files?.length ?? 0)
    if (!files) return commit
    const kept = cut(files, Math.min(commitLimits.filesOfCommit, left))
    left -= kept.length
    return {
      ...Object(commit),
      files: kept.map((file) => {
        const hunks = listOf(file, 'hunks')
        return hunks ? { ...Object(file), hunks: cut(hunks, commitLimits.hunksOfFile) } : file
      }),
    }
  })
  return { value: commits ? { ...Object(value), commits } : value, isTruncated, fileCounts }
}

function listOf(value: unknown, name: string): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Record<string, unknown> = { ...value }
  const list = fields[name]
  return Array.isArray(list) ? list : undefined
}
