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
  const found = new Map<string, ZipEntry>()
  for (const pattern of patterns) {
    const before = found.size
    for (const path of await expand(cwd, pattern)) {
      const name = relative(cwd, path)
      const isOutside = name.startsWith('..') || isAbsolute(name)
      found.set(path, { path, name: (isOutside ? path : name).split(sep).filter(isFolderName).join('/') })
      if (found.size > maxFiles) throw new CliError('usage', `There are more than ${maxFiles} files`)
    }
    if (found.size === before && !isKnown(cwd, pattern, found)) {
      throw new CliError('notFound', `No file is at ${pattern}`, {
        fix: 'Put a pattern between quotation marks, so that the shell leaves it as it is.',
      })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function expand(cwd: string, pattern: string): Promise<string[]> {
  const path = resolve(cwd, pattern)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return [path]
  const matches = found?.isDirectory() === true ? glob('**/*', { cwd: path }) : glob(pattern, { cwd })
  const base = found?.isDirectory() === true ? path : cwd
  const paths: string[] = []
  for await (const match of matches) {
    const file = resolve(base, match)
    if ((await stat(file).catch(() => undefined))?.isFile() === true) paths.push(file)
  }
  return paths
}

/** Whether an earlier pattern has already found the file. */
function isKnown(cwd: string, pattern: string, found: ReadonlyMap<string, ZipEntry>): boolean {
  return found.has(resolve(cwd, pattern))
}

/** Names in an archive may not lead out of it. */
function isFolderName(name: string): boolean {
  return name !== '' && name !== '..' && !/^[A-Za-z]:$/.test(name)
}
