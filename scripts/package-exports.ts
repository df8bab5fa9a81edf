/**
 * Finds what the entry points of packages export although no other workspace imports it. The programs, the other
 * packages and the folders at the root (tests over processes, benches, scripts) are other workspaces, and so is the
 * package's README, because its examples run as tests. A package's own tests and benches import its files instead.
 *
 * Works on the text, because the entry points are lists of `export { … } from '…'`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJson } from './read-json.ts'

/** Packages whose entry points are for programs outside of this repository, and why. */
const publicPackages: Record<string, string> = {
  '@fairlead/channel': 'it is packed for npm, and apps and their tests call it',
  '@fairlead/client': 'it is packed for npm, and other programs call it',
  '@fairlead/contract': 'its schemas and types are part of the packed client',
}

interface Manifest {
  name: string
  exports?: Record<string, string | Record<string, string>>
}

/** Returns a line for each export that no other workspace uses. */
export function findUnusedExports(root: string): string[] {
  const used = findUses(root)
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .flatMap((path) => {
      // A manifest of this repository, whose fields are those above.
      const { name, exports = {} } = readJson<Manifest>(readFileSync(join(root, path), 'utf8'))
      if (name in publicPackages) return []
      return Object.entries(exports).flatMap(([entry, target]) => {
        if (typeof target !== 'string') return [`${path}: ${entry} has conditions, which this check does not read`]
        const specifier = join(name, entry)
        const file = join(dirname(path), target)
        const names = used.get(specifier)
        if (!names) return [`${path}: no other workspace imports ${specifier}`]
        return listExports(readFileSync(join(root, file), 'utf8'))
          .filter((exported) => !names.has(exported) && !names.has('*'))
          .map((exported) => `${file}: no other workspace imports ${exported} of ${specifier}`)
      })
    })
}

/**
 * Lists the names that an entry point passes on. What it declares itself may be used by the files of its own package,
 * and knip reports it otherwise.
 */
export function listExports(source: string): string[] {
  const everything = /^export \* from/m.test(source) ? ['*'] : []
  const lists = source.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)
  return [...everything, ...[...lists].flatMap(([, list = '']) => splitNames(list).map(([, outer]) => outer))]
}

/** Maps each import path of our packages to the names that other workspaces import from it; `*` means all. */
function findUses(root: string): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  const files = globSync(['{packages,apps,test,bench,scripts}/**/*.{ts,tsx}', 'packages/*/README.md'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  })
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const { specifier, names } of listImports(source)) {
      const folder = `packages/${specifier.split('/')[1]}/`
      if (file.startsWith(folder) && !file.endsWith('README.md')) continue
      const known = used.get(specifier) ?? new Set()
      used.set(specifier, known)
      for (const name of names) known.add(name)
    }
  }
  return used
}

/** Lists what a source imports from our packages, or passes on, statically or by `await import()`. */
function* listImports(source: string): Generator<{ specifier: string; names: string[] }> {
  const statics = source.matchAll(/(?:import|export) ((?:type )?(?:\{[^}]*\}|\*[^'{}]*)) from '(@fairlead\/[^']+)'/g)
  for (const [, clause = '', specifier = ''] of statics) {
    yield { specifier, names: clause.includes('*') ? ['*'] : listNames(clause) }
  }
  for (const [, list = '', specifier = ''] of source.matchAll(
    /const (\{[^}]*\}) = await import\(\s*'(@fairlead\/[^']+)'/g,
  )) {
    yield { specifier, names: listNames(list.replaceAll(': ', ' as ')) }
  }
}

function listNames(clause: string): string[] {
  return splitNames(clause.replace(/^[^{]*\{|\}[^}]*$/g, '')).map(([inner]) => inner)
}

/** Splits `a, type B, c as d` into pairs of the name in the other file and the name in this one. */
function splitNames(list: string): [string, string][] {
  return list
    .replaceAll(/\/\/[^\n]*/g, '')
    .split(',')
    .flatMap((part): [string, string][] => {
      const [inner, outer] = part
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      return inner ? [[inner, outer ?? inner]] : []
    })
}
