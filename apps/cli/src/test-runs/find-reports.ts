import { glob, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { ZipEntry } from '../files/temporary-zip.ts'

/** The server reads this many files of an archive at most. */
const maxFiles = 10_000

/**
 * Finds the files of paths and patterns such as `build/**` + `/TEST-*.xml`. A folder stands for everything in it.
 * Throws `notFound` for a path or pattern without files.
 */
export async function findReports(cwd: string, patterns: readonly string[]): Promise<ZipEntry[]> {
  const paths = new Set<string>()
  for (const pattern of patterns) {
    const found = await expandPattern(cwd, pattern)
    if (found.length === 0) {
      throw new CliError('notFound', `No file is at ${pattern}`, {
        fix: 'Put a pattern between quotation marks, so that the shell leaves it as it is.',
      })
    }
    for (const path of found) paths.add(path)
  }
  return toEntries(cwd, paths)
}

/** Lists the files of a path or pattern: of a folder, everything in it. */
export async function expandPattern(cwd: string, pattern: string): Promise<string[]> {
  const path = resolve(cwd, pattern)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return [path]
  const matches = found?.isDirectory() === true ? glob('**/*', { cwd: path }) : glob(pattern, { cwd })
  const base = found?.isDirectory() === true ? path : cwd
  const paths: string[] = []
  for await (const match of matches) {
    const file = resolve(base, match)
    if ((await stat(file).catch(() => undefined))?.isFile() === true) paths.push(file)
    if (paths.length > maxFiles) refuseMany()
  }
  return paths
}

/** Gives files their names in an archive: their paths from the current folder, in order. */
export function toEntries(cwd: string, paths: ReadonlySet<string>): ZipEntry[] {
  if (paths.size > maxFiles) refuseMany()
  const entries = [...paths].map((path) => {
    const name = relative(cwd, path)
    const isOutside = name.startsWith('..') || isAbsolute(name)
    return { path, name: (isOutside ? path : name).split(sep).filter(isFolderName).join('/') }
  })
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function refuseMany(): never {
  throw new CliError('usage', `There are more than ${maxFiles} files`)
}

/** Names in an archive may not lead out of it. */
function isFolderName(name: string): boolean {
  return name !== '' && name !== '..' && !/^[A-Za-z]:$/.test(name)
}
