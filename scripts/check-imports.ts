/**
 * Checks imports against the two tables of docs/ARCHITECTURE.md, the packages and the layers of the server, and finds
 * import cycles. Type-only imports count as well.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findCycles, type Import, isTest, readImports, toEntry } from './import-graph.ts'

const allowed: Record<string, string[]> = {
  '@fairlead/contract': [],
  '@fairlead/binary': [],
  '@fairlead/channel': [],
  '@fairlead/markdown': [],
  '@fairlead/symbols': ['@fairlead/binary'],
  '@fairlead/reports': ['@fairlead/binary'],
  '@fairlead/client': ['@fairlead/contract'],
  '@fairlead/crashes': ['@fairlead/binary', '@fairlead/symbols'],
  '@fairlead/server': [
    '@fairlead/contract',
    '@fairlead/binary',
    '@fairlead/markdown',
    '@fairlead/symbols',
    '@fairlead/crashes',
    '@fairlead/reports',
  ],
  fairlead: ['@fairlead/client', '@fairlead/binary', '@fairlead/symbols'],
  '@fairlead/dashboard': ['@fairlead/client', '@fairlead/contract', '@fairlead/markdown'],
}

const serverSource = 'apps/server/src'

/** The files and folders of the server by layer. Each may import those in the rows below its own, and no others. */
const serverLayers = [
  'main.ts command.ts testing',
  'serve.ts moving',
  'app.ts background.ts open-context.ts',
  'access chores dashboard install invitations openapi operations password-resets sentry-cli server-admin set-up',
  'tests uploads',
  'builds crash-intake sessions symbolication symbols-files testers workspaces',
  'crashes',
  'accounts api-tokens applications audit distribution-groups mails members two-factor',
  'context.ts',
  'http jobs',
  'passwords',
  'blobs secrets',
  'config.ts db html links log-stream.ts node-version.ts',
  'settings',
].map((row) => row.split(' '))

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Returns one line for each import or cycle that a rule forbids. */
export function findImportFaults(root: string): string[] {
  const faults: string[] = []
  for (const path of globSync('{packages,apps}/*/package.json', { cwd: root }).toSorted()) {
    faults.push(...findForbiddenPackages(root, path))
    const folder = dirname(path)
    const imports = readImports(root, folder)
    for (const { file, target } of imports) {
      if (!target.startsWith(`${folder}/`)) faults.push(`${file}: ${target} is in another package`)
    }
    faults.push(...findCycles(imports).map(describeCycle))
    if (serverSource.startsWith(`${folder}/`)) faults.push(...findServerFaults(imports))
  }
  return faults
}

function findForbiddenPackages(root: string, path: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
  const mayImport = allowed[manifest.name]
  if (!mayImport) return [`${path}: ${manifest.name} is not in the import table`]
  const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }
  return Object.keys(declared)
    .filter((name) => name.startsWith('@fairlead/') && !mayImport.includes(name))
    .map((name) => `${path}: ${manifest.name} may not depend on ${name}`)
}

function describeCycle(cycle: Import[]): string {
  return `an import cycle: ${cycle.map(({ file, target }) => `${file} imports ${target}`).join(', ')}`
}

function findServerFaults(imports: Import[]): string[] {
  return imports.filter(({ file }) => !isTest(file)).flatMap((one) => describeServerFault(one) ?? [])
}

function describeServerFault({ file, target }: Import): string | undefined {
  const [from, to] = [toEntry(serverSource, file), toEntry(serverSource, target)]
  if (from === to) return undefined
  const [layer, targetLayer] = [findLayer(from), findLayer(to)]
  if (layer === -1 || targetLayer === -1) return `${file}: ${layer === -1 ? from : to} is in no layer of the server`
  if (targetLayer <= layer) return `${file}: ${target} is not in a lower layer of the server`
  // These files hold the SQL of a feature, except in blobs, whose stores keep files.
  const isStore = /^(.+-)?store\.ts$/.test(basename(target)) && to !== 'blobs'
  if (isStore) return `${file}: ${target} is private to its folder`
  return undefined
}

function findLayer(entry: string): number {
  return serverLayers.findIndex((layer) => layer.includes(entry))
}

if (import.meta.main) {
  const faults = findImportFaults(join(import.meta.dirname, '..'))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
