import { leastSeconds, readSeconds } from './test-seconds.ts'

/** So many small files share a process. More would save little, and would run too long one after the other. */
const mostTogether = 10

/**
 * Puts small test files of the same workspace together, because loading its modules takes longer than their tests. The
 * longer files have processes of their own, and so have the tests across workspaces, which start many themselves.
 */
export function groupSmallFiles(files: string[]): string[][] {
  const secondsOf = readSeconds()
  const isSmall = (file: string) => /^(?:packages|apps)\//.test(file) && secondsOf(file) <= leastSeconds
  const byWorkspace = Map.groupBy(files.filter(isSmall), (file) => file.split('/').slice(0, 2).join('/'))
  const alone = files.filter((file) => !isSmall(file)).map((file) => [file])
  return [...[...byWorkspace.values()].flatMap(splitEvenly), ...alone]
}

function splitEvenly(files: string[]): string[][] {
  const groups = Math.ceil(files.length / mostTogether)
  return Array.from({ length: groups }, (_, group) => files.filter((_file, index) => index % groups === group))
}
