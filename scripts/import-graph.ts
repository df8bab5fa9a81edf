/** Reads the import graph of a folder, types included, and finds circles among its files and folders. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A relative import; both paths are relative to the root, with forward slashes. */
export interface Import {
  file: string
  target: string
}

/** Returns every relative import in the TypeScript files of a package. */
export function readImports(root: string, packageFolder: string): Import[] {
  return globSync(`${packageFolder}/{src,test,bench}/**/*.{ts,tsx}`, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const specifiers = source.matchAll(/(?:from|import)\s*\(?\s*'(\.\.?\/[^']+)'/g)
      return [...specifiers].map(([, specifier = '']) => ({ file, target: join(dirname(file), specifier) }))
    })
}

/** Tells whether a file is a test. Nothing imports tests and they may use any helper, so their imports are ignored. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

/**
 * Finds circular imports. Each folder is a graph of its files and subfolders, a subfolder standing for everything in
 * it. Returns for each circle the imports that form it.
 */
export function findCircles(imports: Import[]): Import[][] {
  const arrowsOf = Map.groupBy(
    imports.filter(({ file, target }) => !isTest(file) && file !== target),
    ({ file, target }) => findCommonFolder(file, target),
  )
  return [...arrowsOf].flatMap(([folder, arrows]) => findCirclesIn(folder, arrows))
}

/** Returns the innermost folder that contains both paths. */
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
    // The members of a known circle are skipped, so a tangle is reported one circle at a time.
    if (known.has(entry)) continue
    const circle = findShortestWay(arrows, entry)
    if (!circle) continue
    circles.push(circle)
    for (const { file } of circle) known.add(toEntry(folder, file))
  }
  return circles
}

/** Returns the name of the file or subfolder of `folder` on the way to a path. */
export function toEntry(folder: string, path: string): string {
  return path.slice(folder.length + 1).split('/')[0] ?? ''
}

/** Returns the shortest chain of imports from an entry back to itself. */
function findShortestWay(arrows: Map<string, Map<string, Import>>, start: string): Import[] | undefined {
  const ways = new Map<string, Import[]>([[start, []]])
  // Iterating over a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [entry, way] of ways) {
    for (const [target, one] of arrows.get(entry) ?? []) {
      if (target === start) return [...way, one]
      if (!ways.has(target)) ways.set(target, [...way, one])
    }
  }
  return undefined
}
