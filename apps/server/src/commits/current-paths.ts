import type { TouchedFile } from './touched-file.ts'

/**
 * Tells which path each touched file has after all of these commits, which come with the newest first: a commit from
 * before a renaming knows the file by its old path only, and a failure by its new one.
 */
export function listCurrentPaths(
  builds: readonly { commits: readonly { files: readonly TouchedFile[] }[] }[],
): Map<TouchedFile, string> {
  const current = new Map<TouchedFile, string>()
  const renamed = new Map<string, string>()
  for (const { files } of builds.flatMap(({ commits }) => commits)) {
    const paths = files.map((file) => renamed.get(file.path) ?? file.path)
    for (const [at, file] of files.entries()) {
      const path = paths[at] ?? file.path
      current.set(file, path)
      if (file.status === 'R' && file.previousPath !== null) renamed.set(file.previousPath, path)
    }
  }
  return current
}
