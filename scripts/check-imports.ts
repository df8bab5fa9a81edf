/** Compares what each workspace depends on with the table of docs/ARCHITECTURE.md: who may import whom. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const allowed: Record<string, string[]> = {
  '@fairlead/contract': [],
  '@fairlead/binary': [],
  '@fairlead/channel': [],
  '@fairlead/symbols': ['@fairlead/binary'],
  '@fairlead/client': ['@fairlead/contract'],
  '@fairlead/server': ['@fairlead/contract', '@fairlead/binary', '@fairlead/symbols'],
  fairlead: ['@fairlead/client', '@fairlead/binary', '@fairlead/symbols'],
  '@fairlead/dashboard': ['@fairlead/client', '@fairlead/contract'],
}

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '..')

/** One line per import that the table does not allow, or that reaches into another package past its door. */
export function findForbiddenImports(): string[] {
  const faults: string[] = []
  for (const path of globSync('{packages,apps}/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
    const mayImport = allowed[manifest.name]
    if (!mayImport) {
      faults.push(`${path}: ${manifest.name} is not in the import table`)
      continue
    }
    const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }
    for (const name of Object.keys(declared)) {
      if (name.startsWith('@fairlead/') && !mayImport.includes(name)) {
        faults.push(`${path}: ${manifest.name} may not depend on ${name}`)
      }
    }
    faults.push(...findBorderCrossings(dirname(path)))
  }
  return faults
}

/** Relative imports that climb out of their own package. */
function findBorderCrossings(folder: string): string[] {
  const faults: string[] = []
  for (const file of globSync(`${folder}/{src,test,bench}/**/*.{ts,tsx}`, { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, specifier] of source.matchAll(/(?:from|import)\s*\(?\s*'(\.\.?\/[^']+)'/g)) {
      const target = join(dirname(file), specifier ?? '')
      if (!target.startsWith(`${folder}/`)) faults.push(`${file}: ${specifier} leaves its package`)
    }
  }
  return faults
}

if (import.meta.main) {
  const faults = findForbiddenImports()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
