/**
 * Makes the tarballs that are published: compiled JavaScript and declarations, and manifests without the fields that
 * only this repository needs. `node scripts/pack.ts FOLDER [NAME…]` puts them there and prints their paths.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { readJson } from './read-json.ts'

const root = join(import.meta.dirname, '..')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

interface Recipe {
  folder: string
  /** The oldest Node that runs it. */
  node: string
  /** Files and folders besides the compiled code, the README and the licence. */
  extra?: string[]
  /** Folders that only tests need, and whose exports are left out. */
  without?: string[]
  /** The compiled files that programs and workers start with, by name. With them, our packages become part of it. */
  bundle?: Record<string, string>
}

/** The packages in the order in which they are compiled: each before those that import it. */
const recipes: Record<string, Recipe> = {
  '@fairlead/contract': { folder: 'packages/contract', node: '>=20' },
  '@fairlead/client': { folder: 'packages/client', node: '>=20' },
  '@fairlead/invariant': { folder: 'packages/invariant', node: '>=20' },
  '@fairlead/workers': { folder: 'packages/workers', node: '>=22.15', without: ['test'] },
  '@fairlead/binary': { folder: 'packages/binary', node: '>=22.15', without: ['src/fixture'] },
  '@fairlead/symbols': { folder: 'packages/symbols', node: '>=22.15', extra: ['docs'], without: ['test'] },
  '@fairlead/cli': {
    folder: 'apps/cli',
    node: '>=22.15',
    bundle: { bin: '@fairlead/cli/dist/bin.js', 'index-worker': '@fairlead/symbols/dist/index-worker.js' },
  },
}

type Targets = Record<string, string | Record<string, string>>

interface Manifest {
  name: string
  version: string
  description?: string
  license: string
  sideEffects?: boolean
  bin?: Record<string, string>
  imports?: Targets
  exports?: Targets
  dependencies?: Record<string, string>
}

/** Compiles and packs the named packages, by default all, into a folder. Returns the path of each tarball by name. */
export async function packAll(folder: string, names = Object.keys(recipes)): Promise<Map<string, string>> {
  const destination = resolve(folder)
  // The stage is inside the repository, so that the compiler finds the dependencies in its `node_modules`.
  const stage = mkdtempSync(join(root, '.pack-'))
  try {
    const tarballs = new Map<string, string>()
    for (const [name, recipe] of Object.entries(recipes)) {
      const built = await build(stage, name, recipe)
      if (names.includes(name)) tarballs.set(name, pack(built, destination))
    }
    return tarballs
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

async function build(stage: string, name: string, recipe: Recipe): Promise<string> {
  const source = join(root, recipe.folder)
  const target = join(stage, 'node_modules', name)
  mkdirSync(target, { recursive: true })
  const manifest = readJson<Manifest>(readFileSync(join(source, 'package.json'), 'utf8'))
  compile(stage, source, target, recipe)
  if (recipe.bundle) await bundle(stage, target, recipe.bundle)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(toPublished(manifest, recipe), null, 2)}\n`)
  for (const part of ['README.md', ...(recipe.extra ?? [])]) {
    if (existsSync(join(source, part))) cpSync(join(source, part), join(target, part), { recursive: true })
  }
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  if (recipe.bundle) copyDependencies(source, target)
  return target
}

/** Compiles a copy of the sources, because the compiler takes linked packages for parts of the same program. */
function compile(stage: string, source: string, target: string, { without = [] }: Recipe): void {
  const copy = mkdtempSync(join(stage, 'source-'))
  cpSync(join(source, 'src'), join(copy, 'src'), { recursive: true })
  for (const part of without) rmSync(join(copy, part), { recursive: true, force: true })
  cpSync(join(source, 'package.json'), join(copy, 'package.json'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      // `using` is compiled away, because the oldest Node that these packages run on does not have it.
      target: 'es2022',
      rootDir: 'src',
      outDir: join(target, 'dist'),
    },
    include: ['src'],
    exclude: ['src/**/*.test.ts', 'src/**/*.suite.ts'],
  }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
  execFileSync(process.execPath, [tsc, '--project', copy], { stdio: ['ignore', 'inherit', 'inherit'] })
  for (const path of globSync(`${join(target, 'dist')}/**/*.js`)) {
    // The compiler changes the names of imports, but not of the files that worker processes start with.
    const code = readFileSync(path, 'utf8')
    const changed = code.replaceAll(/(new URL\('[^']+)\.ts(', import\.meta\.url\))/g, '$1.js$2')
    if (changed !== code) writeFileSync(path, changed)
  }
}

/**
 * Joins the files of a program and of our packages that it uses into few, because finding and opening a hundred modules
 * takes as long as the start of Node. Packages of others stay dependencies, with their own licences.
 */
async function bundle(stage: string, target: string, entries: Record<string, string>): Promise<void> {
  const modules = join(stage, 'node_modules')
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(modules, path)]))
  const joined = join(target, 'joined')
  const build = await rolldown({
    input,
    platform: 'node',
    external: (id) => !/^([./#]|@fairlead\/)/.test(id),
    treeshake: { moduleSideEffects: false },
  })
  await build.write({
    // All files are in one folder, so that the addresses of the manifest and of worker processes stay right.
    dir: joined,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: ['client', 'workers', 'binary', 'symbols'].map((name) => ({
        name,
        test: new RegExp(`@fairlead/${name}/`),
      })),
    },
  })
  await build.close()
  rmSync(join(target, 'dist'), { recursive: true })
  renameSync(joined, join(target, 'dist'))
}

/** Copies the packages of others that a package needs, and those that they need, into its `node_modules`. */
function copyDependencies(source: string, target: string): void {
  const copied = new Map<string, string>()
  const copy = (from: string, to: string) => {
    const { dependencies = {} } = readJson<Manifest>(readFileSync(join(from, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith('@fairlead/')) continue
      const found = findInstalled(from, name)
      // A second version of a package lies below the one that needs it, as npm would place it.
      const isOther = copied.has(name) && copied.get(name) !== found
      const place = join(isOther ? to : target, 'node_modules', name)
      if (existsSync(place)) continue
      if (!isOther) copied.set(name, found)
      // Bundles for browsers have no use in a command line, and some are not what their package says of its files.
      const isNeeded = (path: string) => !/node_modules|\/dist\/(iife|umd)(\/|$)/.test(path.slice(found.length))
      cpSync(found, place, { recursive: true, filter: isNeeded })
      copy(found, place)
    }
  }
  copy(source, target)
}

/** Finds an installed package as Node does: in the next `node_modules` above. */
function findInstalled(from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(path)) return path
    if (folder === dirname(folder)) throw new Error(`${name} is not installed`)
  }
}

/** Turns an entry of the manifest such as `./src/x.ts` into the entry of the compiled package. */
function toCompiled(path: string): { types: string; default: string } {
  const compiled = path.replace('./src/', './dist/').replace(/\.ts$/, '')
  return { types: `${compiled}.d.ts`, default: `${compiled}.js` }
}

function toCompiledTargets(targets: Targets, without: readonly string[]): object {
  const kept = Object.entries(targets).filter(
    ([, target]) => typeof target !== 'string' || !without.some((part) => target.startsWith(`./${part}/`)),
  )
  return Object.fromEntries(
    kept.map(([name, target]) => {
      if (typeof target === 'string') return [name, toCompiled(target)]
      const conditions = Object.entries(target).map(([condition, path]) => [condition, toCompiled(path)])
      return [name, Object.fromEntries(conditions)]
    }),
  )
}

function toPublished(manifest: Manifest, { node, extra = [], without = [], bundle: isBundled }: Recipe): object {
  const { name, version, description, license, sideEffects, bin, imports, exports } = manifest
  const needed = Object.entries(manifest.dependencies ?? {})
  const dependencies = Object.fromEntries(needed.filter(([one]) => !isBundled || !one.startsWith('@fairlead/')))
  const programs = Object.entries(bin ?? {}).map(([program, path]) => [program, toCompiled(path).default.slice(2)])
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects,
    engines: { node },
    files: ['dist', ...extra],
    ...(bin && { bin: Object.fromEntries(programs) }),
    ...(imports && { imports: toCompiledTargets(imports, without) }),
    ...(exports && { exports: toCompiledTargets(exports, without) }),
    dependencies,
    // The packages of others travel inside, so that a machine without a registry can install the tarball.
    ...(isBundled && { bundleDependencies: Object.keys(dependencies) }),
  }
}

function pack(folder: string, destination: string): string {
  const arguments_ = ['pack', '--json', '--ignore-scripts', '--dry-run=false', '--pack-destination', destination]
  const output = execFileSync('npm', arguments_, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  // npm has printed this form since its first release with --json.
  const [packed] = readJson<[{ filename: string }]>(output)
  // The tarball of the command line has the name of the command, which people download and run.
  const named = join(destination, packed.filename.replace(/^fairlead-cli-/, 'fairlead-'))
  if (named !== join(destination, packed.filename)) renameSync(join(destination, packed.filename), named)
  return named
}

if (import.meta.main) {
  const [folder = '.', ...names] = process.argv.slice(2)
  const tarballs = await packAll(folder, names.length > 0 ? names : undefined)
  for (const path of tarballs.values()) console.log(path)
}
