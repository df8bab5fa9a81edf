import { readSeconds } from './test-seconds.ts'

/**
 * Files that take longer have a process of their own, so that its memory and its time stay within limits. All seconds
 * are those of a run of everything, in which several files share the processors.
 */
const smallSeconds = 30
/** So many small files share a process, or fewer that take so long together. More would save little. */
const mostTogether = 16
const mostSeconds = 80

/**
 * The tests whose processes load the modules of a workspace. The other tests across workspaces start programs, and have
 * little to load themselves.
 */
const sharing = /^(packages\/[^/]+|apps\/[^/]+|test\/(?:agents-api|company-api|frameworks))\//

/**
 * Puts small test files of the same workspace together, because loading its modules takes longer than their tests. The
 * longer files have processes of their own, and so have the tests across workspaces, which start many themselves.
 */
export function groupSmallFiles(files: string[], secondsOf = readSeconds()): string[][] {
  const isSmall = (file: string) => sharing.test(file) && secondsOf(file) <= smallSeconds
  const byWorkspace = Map.groupBy(files.filter(isSmall), (file) => sharing.exec(file)?.[1])
  const alone = files.filter((file) => !isSmall(file)).map((file) => [file])
  return [...[...byWorkspace.values()].flatMap((together) => splitEvenly(together, secondsOf)), ...alone]
}

/** Deals the files out to groups, the longest first, each to the group that takes the least time so far. */
function splitEvenly(files: string[], secondsOf: (file: string) => number): string[][] {
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0)
  const count = Math.ceil(Math.max(files.length / mostTogether, total / mostSeconds))
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const open = groups.filter((group) => group.files.length < mostTogether)
    const [first, ...others] = open
    if (!first) throw new Error('there are fewer groups than the files need')
    const shortest = others.reduce((least, group) => (group.seconds < least.seconds ? group : least), first)
    shortest.files.push(file)
    shortest.seconds += secondsOf(file)
  }
  return groups.map((group) => group.files)
}
