import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { ZipEntry } from '../files/temporary-zip.ts'
import { expandPattern, toEntries } from './find-reports.ts'

export interface WrittenReports {
  files: ZipEntry[]
  /** The patterns at which nothing was written. */
  unmatched: string[]
}

/**
 * Remembers the files of the patterns, or those in the usual places of test tools, and returns a function that lists
 * which of them were written since then. Files are compared with what they were, not with a clock, so that a report of
 * an earlier run is never taken for one of this run.
 */
export async function watchReports(cwd: string, patterns: readonly string[]): Promise<() => Promise<WrittenReports>> {
  const before = new Map<string, string>()
  for (const files of (await listFiles(cwd, patterns)).values()) {
    for (const path of files) before.set(path, await readState(path))
  }
  return async () => {
    const written = new Set<string>()
    const unmatched: string[] = []
    for (const [pattern, files] of await listFiles(cwd, patterns)) {
      let count = 0
      for (const path of files) {
        if (before.get(path) === (await readState(path))) continue
        written.add(path)
        count++
      }
      if (count === 0 && pattern !== '') unmatched.push(pattern)
    }
    return { files: toEntries(cwd, written), unmatched }
  }
}

/** The files of each pattern; those in the usual places have the key ''. */
async function listFiles(cwd: string, patterns: readonly string[]): Promise<Map<string, string[]>> {
  if (patterns.length === 0) return new Map([['', await findUsualReports(cwd)]])
  const found = new Map<string, string[]>()
  for (const pattern of patterns) found.set(pattern, await expandPattern(cwd, pattern))
  return found
}

async function readState(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : ''
}

/** Gradle, the Android plugin, Maven, Jest, Playwright, CTRF, Allure and Xcode write their reports to these paths. */
const usualPlaces = new RegExp(
  [
    String.raw`(^|/)(TEST-[^/]*|junit[^/]*|[^/]*[-_.]junit)\.xml$`,
    String.raw`(^|/)[^/]+\.junit$`,
    String.raw`(^|/)build/test-results/.*\.xml$`,
    String.raw`(^|/)build/outputs/androidTest-results/.*\.(xml|txt)$`,
    String.raw`(^|/)(surefire|failsafe)-reports/TEST-[^/]*\.xml$`,
    String.raw`(^|/)(ctrf/[^/]+|ctrf-report)\.json$`,
    String.raw`(^|/)allure-results/`,
    String.raw`(^|/)[^/]+\.xcresult/`,
  ].join('|'),
)
const skippedFolders = new Set(['node_modules', '.git', '.gradle', '.venv', 'Pods'])

const maxEntries = 500_000
const maxDepth = 40

async function findUsualReports(cwd: string): Promise<string[]> {
  const found: string[] = []
  const folders = [{ path: cwd, depth: 0 }]
  let entries = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // A folder that cannot be read, or is gone by now, holds no reports.
    const { path, depth } = folder
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (++entries > maxEntries) {
        throw new CliError('usage', 'The folder has too many files to search all for reports', {
          fix: "Say where the reports are: --report 'app/build/**/TEST-*.xml'",
        })
      }
      const file = join(path, entry.name)
      if (entry.isDirectory()) {
        if (depth < maxDepth && !skippedFolders.has(entry.name)) folders.push({ path: file, depth: depth + 1 })
      } else if (entry.isFile() && usualPlaces.test(relative(cwd, file).split(sep).join('/'))) {
        found.push(file)
      }
    }
  }
  return found
}
