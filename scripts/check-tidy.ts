/**
 * Checks what nobody looks at in a review: files that a tool left behind, folders that no README names, holes in the
 * numbers of decisions and migrations, tables that the data model leaves out, and exports that no other workspace uses.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findUnusedExports } from './package-exports.ts'

/** What profilers, crashing processes, `git merge` and `patch` leave behind. */
const strayFile = /^(isolate-.*\.log|core(\.\d+)?|.*\.(cpuprofile|heapsnapshot|orig|rej))$/

/** Returns one line for each fault of the repository at `root`. `tracked` lists its files by their path in it. */
export function findTidyFaults(root: string, tracked: string[]): string[] {
  return [
    ...findStrayFiles(tracked),
    ...findUnlistedFolders(root, tracked, { folder: 'apps/server/src', readme: 'apps/server/README.md' }),
    ...findUnlistedFolders(root, tracked, { folder: 'packages', readme: 'docs/ARCHITECTURE.md' }),
    ...findUnlistedFolders(root, tracked, { folder: 'apps', readme: 'docs/ARCHITECTURE.md' }),
    ...findNumberFaults(root, tracked, { folder: 'docs/decisions', listsAll: true }),
    ...findNumberFaults(root, tracked, { folder: 'apps/server/src/db/migrations', listsAll: false }),
    ...findUnlistedTables(root, tracked),
    ...findUnusedExports(root),
  ]
}

function findStrayFiles(tracked: string[]): string[] {
  return tracked
    .filter((path) => strayFile.test(basename(path)))
    .map((path) => `${path}: a tool left this file behind; remove it with git rm`)
}

/** A README lists a folder in backticks in the first column of a table, or as `name/` in a tree. */
function findUnlistedFolders(
  root: string,
  tracked: string[],
  { folder, readme }: { folder: string; readme: string },
): string[] {
  const folders = new Set(
    tracked.flatMap((path) => {
      const [name, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : []
      return name !== undefined && rest.length > 0 ? [name] : []
    }),
  )
  if (folders.size === 0) return []
  const listed = listNames(read(root, readme))
  const missing = [...folders].filter((name) => !listed.has(name)).map((name) => `${folder}/${name} is missing`)
  // A tree may hold folders of other places, but a table is about one folder.
  const gone = [...listed].filter((name) => folder.endsWith('/src') && !folders.has(name))
  return [...missing, ...gone.map((name) => `${folder}/${name} is listed and does not exist`)].map(
    (fault) => `${readme}: ${fault}`,
  )
}

/** Lists the names in backticks in the first columns of tables, and those of folders in trees. */
function listNames(text: string): Set<string> {
  const rows = text.split('\n').flatMap((line) => {
    const [, column] = /^\| ([^|]*) \|/.exec(line) ?? []
    if (column !== undefined) return [...column.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
    const [, name] = /^ {2}([\w-]+)\/ /.exec(line) ?? []
    return name === undefined ? [] : [name]
  })
  return new Set(rows)
}

/**
 * The files `NNN-title` of a folder have a number each, and its README has a line, such as `- 004: …`, for each number
 * below the highest that no file has. With `listsAll` it also has a line for each file.
 */
function findNumberFaults(
  root: string,
  tracked: string[],
  { folder, listsAll }: { folder: string; listsAll: boolean },
): string[] {
  const names = tracked.flatMap((path) => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''
    return /^\d{3}-[^/]*$/.test(name) && !name.includes('.test.') ? [name] : []
  })
  if (names.length === 0) return []
  const byNumber = Map.groupBy(names, (name) => Number(name.slice(0, 3)))
  const readme = `${folder}/README.md`
  const text = tracked.includes(readme) ? read(root, readme) : ''
  const faults: string[] = []
  for (let number = 1; number <= Math.max(...byNumber.keys()); number++) {
    const padded = String(number).padStart(3, '0')
    const holders = byNumber.get(number) ?? []
    const line = new RegExp(String.raw`^[-|] \[?${padded}\b`, 'm')
    if (holders.length > 1) faults.push(`${folder}: ${holders.join(' and ')} have the same number`)
    if (holders.length === 0 && !line.test(text)) faults.push(`${readme}: no line says why there is no ${padded}`)
    if (listsAll && holders.some((name) => !text.includes(name))) faults.push(`${readme}: ${padded} is missing`)
  }
  return faults
}

/** The page of the data model has a row for each table that the schema types, such as `builds: BuildsTable`. */
function findUnlistedTables(root: string, tracked: string[]): string[] {
  const schema = tracked.filter((path) => path.startsWith('apps/server/src/db/schema/'))
  const tables = schema.flatMap((path) => [...read(root, path).matchAll(/^ {2}(\w+): \w+Table$/gm)])
  if (tables.length === 0) return []
  const page = 'docs/data-model.md'
  const listed = listNames(read(root, page))
  return tables.flatMap(([, name = '']) => (listed.has(name) ? [] : [`${page}: the table ${name} is missing`]))
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Lists tracked files that still exist, and new ones that are not ignored, so that a fault shows before `git add`. */
function listTracked(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const faults = findTidyFaults(root, listTracked(root))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
