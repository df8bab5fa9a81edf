/**
 * Checks imports against the two tables of docs/ARCHITECTURE.md, the packages and the layers of the server, and finds
 * import cycles. Type-only imports count as well.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findCycles, type Import, isTest, readImports, toEntry } from './import-graph.ts'
import { readJson } from './read-json.ts'

const allowed: Record<string, string[]> = {
  '@fairlead/contract': [],
  '@fairlead/invariant': [],
  '@fairlead/workers': [],
  '@fairlead/channel': [],
  '@fairlead/markdown': [],
  '@fairlead/binary': ['@fairlead/invariant', '@fairlead/workers'],
  '@fairlead/symbols': ['@fairlead/binary', '@fairlead/invariant', '@fairlead/workers'],
  '@fairlead/reports': ['@fairlead/binary', '@fairlead/invariant', '@fairlead/workers'],
  '@fairlead/client': ['@fairlead/contract'],
  '@fairlead/crashes': ['@fairlead/invariant', '@fairlead/symbols', '@fairlead/workers'],
  '@fairlead/server': [
    '@fairlead/contract',
    '@fairlead/binary',
    '@fairlead/invariant',
    '@fairlead/markdown',
    '@fairlead/symbols',
    '@fairlead/crashes',
    '@fairlead/reports',
    '@fairlead/workers',
  ],
  '@fairlead/cli': ['@fairlead/client', '@fairlead/binary', '@fairlead/symbols'],
  '@fairlead/dashboard': ['@fairlead/client', '@fairlead/contract', '@fairlead/invariant', '@fairlead/markdown'],
}

const serverSource = 'apps/server/src'

/** The files and folders of the server by layer. Each may import those in the rows below its own, and no others. */
const serverLayers = [
  'main.ts testing',
  'command.ts',
  'account-commands.ts',
  'serve.ts moving',
  'app.ts background.ts open-context.ts',
  'access agents chores dashboard events identities logins openapi operations password-resets sentry-cli set-up ' +
    'server-admin tester-pages trace-viewer',
  'install',
  'build-facts cli-download explanations invitations overviews retention test-runs uploads',
  'devices feedback latest-links test-verdicts',
  'test-failures test-history',
  'test-results',
  'commits',
  'builds crash-intake sessions symbolication symbols-files testers workspaces',
  'crashes',
  'crash-reading',
  'crash-groups',
  'crash-releases release-commits',
  'crash-stacks',
  'alerts',
  'hooks',
  'accounts api-tokens applications audit distribution-groups mails members tester-links two-factor',
  'context.ts',
  'http jobs',
  'oidc passwords',
  'blobs commit-lists data-folder.ts device-messages outbound pictures secrets',
  'config.ts db html links log-stream.ts node-version.ts server-version.ts',
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
    if (serverSource.startsWith(`${folder}/`)) faults.push(...findServerFaults(imports), ...findStraySql(root))
  }
  return faults
}

function findForbiddenPackages(root: string, path: string): string[] {
  const manifest = readJson<Manifest>(readFileSync(join(root, path), 'utf8'))
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
  if (layer === -1 || targetLayer === -1) {
    const stranger = layer === -1 ? from : to
    return `${file}: ${stranger} is in no layer of the server; add it to serverLayers, above all that it imports`
  }
  if (targetLayer <= layer) {
    return `${file}: ${target} is not in a lower layer of the server; in serverLayers, ${from} is not above ${to}`
  }
  if (isStore(target) && toFeature(from) !== toFeature(to)) {
    return `${file}: ${target} is private to its feature; a verb or find.ts exports what others need`
  }
  return undefined
}

/** These files hold the SQL of a feature. */
function isStore(file: string): boolean {
  return /^(.+-)?store\.ts$/.test(basename(file)) && !blobStores.has(toServerPath(file))
}

/** The stores of blobs keep files, and every feature may use them. */
const blobStores = new Set(['blobs/blob-store.ts', 'blobs/file-store.ts', 'blobs/s3-store.ts'])

function toServerPath(file: string): string {
  return file.slice(serverSource.length + 1)
}

/** The methods of Kysely that begin a query, and its tag for SQL as text. */
const sqlPattern = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`]*>)?`|\bsql\.\w+\(/

/** Finds files of the server that hold SQL and are no store: `db` opens and migrates, `moving` copies all tables. */
function findStraySql(root: string): string[] {
  return globSync(`${serverSource}/**/*.ts`, { cwd: root })
    .toSorted()
    .filter((file) => !isTest(file) && !isStore(file) && !/^(db|moving|testing)\//.test(toServerPath(file)))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      const place = lines.findIndex((line) => sqlPattern.test(line))
      return place === -1 ? [] : [`${file}:${place + 1}: holds SQL, which belongs in a store`]
    })
}

/** The receiving of deliveries, `crash-intake`, is a feature by itself. */
const roomsOfCrashes = new Set(['crashes', 'crash-reading', 'crash-groups', 'crash-releases', 'crash-stacks'])

/**
 * The folders of test analysis share their stores, and so do those of crashes. Every other folder is a feature by
 * itself.
 */
function toFeature(entry: string): string {
  if (entry.startsWith('test-')) return 'test analysis'
  return roomsOfCrashes.has(entry) ? 'crashes' : entry
}

function findLayer(entry: string): number {
  return serverLayers.findIndex((layer) => layer.includes(entry))
}

/** These two stand below the table of the page, in a sentence. */
const outsideOfTable = new Set(['settings', 'testing'])

/** Compares the layers with the table of docs/ARCHITECTURE.md, where `above` begins the next layer in a row. */
export function findLayerTableFaults(page: string, layers: readonly string[][] = serverLayers): string[] {
  const [, table = ''] = /^\| Layer .*\n\|[ |-]+\n((?:\|.*\n)+)/m.exec(page) ?? []
  const told = table
    .split('\n')
    .flatMap((row) => (row.split('|')[2] ?? '').split(', above '))
    .map((cell) => [...cell.matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name))
    .filter((names) => names.length > 0)
  const wanted = layers
    .map((names) => names.filter((name) => !outsideOfTable.has(name)))
    .filter((names) => names.length > 0)
  const toText = (names: readonly string[] | undefined) => (names ?? []).toSorted().join(' ')
  const place = wanted.findIndex((names, at) => toText(names) !== toText(told[at]))
  if (place === -1 && told.length === wanted.length) return []
  const at = place === -1 ? wanted.length : place
  const [has, row] = [toText(told[at]), toText(wanted[at])]
  return [`docs/ARCHITECTURE.md: the table of layers has "${has}" where serverLayers has "${row}"`]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const page = join(root, 'docs/ARCHITECTURE.md')
  // A copy of the code alone, as a test makes it, has no such page.
  const faults = [
    ...findImportFaults(root),
    ...(existsSync(page) ? findLayerTableFaults(readFileSync(page, 'utf8')) : []),
  ]
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
