import type { Plugin } from 'vite'

/**
 * Fails the build if files of it import each other in a circle. The browser would run one of them before what it
 * imports exists, and the page would stay white.
 */
export const refuseCycles: Plugin = {
  name: 'refuse-cycles',
  generateBundle(_options, bundle) {
    const imports = new Map<string, string[]>()
    for (const file of Object.values(bundle)) if (file.type === 'chunk') imports.set(file.fileName, file.imports)
    const cycle = findCycle(imports)
    if (cycle)
      this.error(`Files of the dashboard import each other: ${cycle.join(' → ')}. See the groups in vite.config.ts.`)
  },
}

/** Finds a path through the imports that ends where it begins. Imports that run later, by `import()`, do no harm. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(name)
    if (start !== -1) return [...path.slice(start), name]
    if (done.has(name)) return undefined
    for (const imported of imports.get(name) ?? []) {
      const cycle = visit(imported, [...path, name])
      if (cycle) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of imports.keys()) {
    const cycle = visit(name, [])
    if (cycle) return cycle
  }
  return undefined
}
