/** Reads which files of a folder import which, types included, and finds circles among files and folders. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One relative import: both ends are paths below the root, with forward slashes. */
export interface Import {
  file: string
  target: string
}

/** Every relative import in the TypeScript files of a package. */
export function readImports(root: string, packageFolder: string): Import[] {
  return globSync(`${packageFolder}/{src,test,bench}/**/*.{ts,tsx}`, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const specifiers = source.matchAll(/(?:from|import)\s*\(?\s*'(\.\.?\/[^']+)'/g)
      return [...specifiers].map(([, specifier = '']) => ({ file, target: join(dirname(file), specifier) }))
    })
}

/** Nothing imports a test, and a test may use every helper: what tests import is not part of the structure. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

/**
 * Looks at each folder as a graph whose nodes are its files and its subfolders, each subfolder with all that is in it.
 * A circle in such a graph is a circle of files or of folders; comes back as the imports that close it.
 */
export function findCircles(imports: Import[]): Import[][] {
  const arrowsOf = Map.groupBy(
    imports.filter(({ file, target }) => !isTest(file) && file !== target),
    ({ file, target }) => findCommonFolder(file, target),
  )
  return [...arrowsOf].flatMap(([folder, arrows]) => findCirclesIn(folder, arrows))
}

/** The innermost folder that both paths are in. */
function findCommonFolder(a: string, b: string): string {
  const [left, right] = [a.split('/'), b.split('/')]
  const end = left.findIndex((part, index) => part !== right[index])
  return left.slice(0, end).join('/')
}

function findCirclesIn(folder: string, imports: Import[]): Import[][] {
  const arrows = new Map<string, Map<string, Import>>()
  for (const one of imports) {
    const from = toEntry(folder, one.file)
    const targets = arrows.get(from) ?? new Map<string, Import>()
    arrows.set(from, targets.set(toEntry(folder, one.target), one))
  }
  const circles: Import[][] = []
  const known = new Set<string>()
  for (const entry of arrows.keys()) {
    // The members of a circle that was found are not looked at again: one circle of a tangle is told at a time.
    if (known.has(entry)) continue
    const circle = findShortestWay(arrows, entry)
    if (!circle) continue
    circles.push(circle)
    for (const { file } of circle) known.add(toEntry(folder, file))
  }
  return circles
}

/** The name of the file or subfolder of `folder` that a path leads through. */
export function toEntry(folder: string, path: string): string {
  return path.slice(folder.length + 1).split('/')[0] ?? ''
}

/** The fewest imports that lead from an entry back to itself. */
function findShortestWay(arrows: Map<string, Map<string, Import>>, start: string): Import[] | undefined {
  const ways = new Map<string, Import[]>([[start, []]])
  // A map goes on over what is added while it is read, so this is a search in breadth.
  for (const [entry, way] of ways) {
    for (const [target, one] of arrows.get(entry) ?? []) {
      if (target === start) return [...way, one]
      if (!ways.has(target)) ways.set(target, [...way, one])
    }
  }
  return undefined
}
