/** A test file, and how long its tests take in milliseconds. */
export interface WeighedFile {
  path: string
  durationMs: number
}

/** The files of one shard, in order, and how long they take together. */
export interface Shard {
  files: string[]
  durationMs: number
}

/**
 * Deals files to shards by the rule "longest processing time first": each file, from the longest on, goes to the shard
 * that has the least so far. Equal files and equal shards are taken in order, so that the result depends on nothing but
 * the paths and their durations.
 */
export function dealFiles(files: readonly WeighedFile[], count: number): Shard[] {
  const shards = Array.from({ length: count }, (): Shard => ({ files: [], durationMs: 0 }))
  const order = files.toSorted((a, b) => b.durationMs - a.durationMs || (a.path < b.path ? -1 : 1))
  for (const { path, durationMs } of order) {
    const [first, ...others] = shards
    if (!first) return shards
    // Files that take no measurable time are dealt by their number.
    const least = others.reduce((best, one) => (isLess(one, best) ? one : best), first)
    least.files.push(path)
    least.durationMs += durationMs
  }
  for (const shard of shards) shard.files.sort()
  return shards
}

function isLess(a: Shard, b: Shard): boolean {
  return a.durationMs < b.durationMs || (a.durationMs === b.durationMs && a.files.length < b.files.length)
}
