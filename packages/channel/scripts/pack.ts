/**
 * Builds the tarball to publish: compiled JavaScript and declarations, without dependencies. `node scripts/pack.ts
 * <folder>` writes it to that folder and prints its path.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  exports: Record<string, string | Record<string, string>>
}

/** Maps `./src/x.ts` to the compiled files in the package. */
function toCompiled(source: string): { types: string; default: string } {
  const path = source.replace('./src/', './dist/').replace(/\.ts$/, '')
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

function toPublished(manifest: Manifest): object {
  const { name, version, description, license, exports } = manifest
  const compiled = Object.entries(exports).map(([door, target]) => {
    if (typeof target === 'string') return [door, toCompiled(target)]
    return [door, Object.fromEntries(Object.entries(target).map(([condition, path]) => [condition, toCompiled(path)]))]
  })
  const engines = { node: '>=22' }
  const files = ['dist', 'docs', 'java', 'c', 'swift']
  return { name, version, description, license, type: 'module', engines, files, exports: Object.fromEntries(compiled) }
}

/** SwiftPM builds inside the folder of the package, and who uses the package needs no tests. */
function isLeftOut(path: string): boolean {
  return [join(root, 'swift', '.build'), join(root, 'swift', 'Tests')].includes(path)
}

/** Compiles and packs into a folder; returns the path of the tarball. */
export function pack(folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'pack-'))
  try {
    const build = ['--project', join(root, 'tsconfig.build.json'), '--outDir', join(stage, 'dist')]
    execFileSync(process.execPath, [tsc, ...build], { stdio: ['ignore', 'inherit', 'inherit'] })
    const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(toPublished(manifest), null, 2)}\n`)
    for (const part of ['README.md', 'docs', 'java', 'c', 'swift'])
      cpSync(join(root, part), join(stage, part), { recursive: true, filter: (path) => !isLeftOut(path) })
    cpSync(join(root, '..', '..', 'LICENSE'), join(stage, 'LICENSE'))
    const arguments_ = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)]
    const output = execFileSync('npm', arguments_, {
      cwd: stage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [packed]: [{ filename: string }] = JSON.parse(output)
    return join(resolve(folder), packed.filename)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(pack(process.argv[2] ?? '.'))
