/** Reads the relative imports of packages, types included, and finds cycles of files and of folders. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A relative import. Both ends are paths relative to the root of the repository. */
export interface Import {
  file: string
  target: string
}

/** Lists the relative imports in the TypeScript files of a package. */
export function readImports(root: string, packageFolder: string): Import[] {
  return globSync(`${packageFolder}/{src,test,bench}/**/*.{ts,tsx}`, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const specifiers = source.matchAll(/(?:from|import)\s*\(?\s*'(\.\.?\/[^']+)'/g)
      return [...specifiers].map(([, specifier = '']) => ({ file, target: join(dirname(file), specifier) }))
    })
}

/** Tests are exempt: nothing imports them, and they may use any helper. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

/**
 * Finds cycles of files and of folders. Each folder is a graph of its files and subfolders, in which a subfolder stands
 * for everything inside it. Returns each cycle as the imports that form it.
 */
export function findCycles(imports: Import[]): Import[][] {
  const arrowsOf = Map.groupBy(
    imports.filter(({ file, target }) => !isTest(file) && file !== target),
    ({ file, target }) => findCommonFolder(file, target),
  )
  return [...arrowsOf].flatMap(([folder, arrows]) => findCyclesIn(folder, arrows))
}

/** Returns the innermost folder that contains both paths. */
function findCommonFolder(a: string, b: string): string {
  const [left, right] = [a.split('/'), b.split('/')]
  const end = left.findIndex((part, index) => part !== right[index])
  return left.slice(0, end).join('/')
}

function findCyclesIn(folder: string, imports: Import[]): Import[][] {
  const arrows = new Map<string, Map<string, Import>>()
  for (const one of imports) {
    const from = toEntry(folder, one.file)
    const targets = arrows.get(from) ?? new Map<string, Import>()
    arrows.set(from, targets.set(toEntry(folder, one.target), one))
  }
  const cycles: Import[][] = []
  const known = new Set<string>()
  for (const entry of arrows.keys()) {
    // One cycle per strongly connected component is enough, so the members of a cycle are not searched again.
    if (known.has(entry)) continue
    const cycle = findShortestCycle(arrows, entry)
    if (!cycle) continue
    cycles.push(cycle)
    for (const { file } of cycle) known.add(toEntry(folder, file))
  }
  return cycles
}

/** Returns the name of the file or subfolder of `folder` that contains a path. */
export function toEntry(folder: string, path: string): string {
  return path.slice(folder.length + 1).split('/')[0] ?? ''
}

/** Returns the fewest imports that lead from an entry back to itself. */
function findShortestCycle(arrows: Map<string, Map<string, Import>>, start: string): Import[] | undefined {
  const paths = new Map<string, Import[]>([[start, []]])
  // Iterating a map includes entries added meanwhile, so this is a breadth-first search.
  for (const [entry, path] of paths) {
    for (const [target, one] of arrows.get(entry) ?? []) {
      if (target === start) return [...path, one]
      if (!paths.has(target)) paths.set(target, [...path, one])
    }
  }
  return undefined
}
