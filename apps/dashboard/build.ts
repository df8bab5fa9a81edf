/**
 * Builds the dashboard into `dist`, with a brotli and a gzip copy of each text file for the server to send. With
 * `--if-stale` it builds only if a source is newer than the last build.
 */
import { globSync } from 'node:fs'
import { glob, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const root = import.meta.dirname
const dist = join(root, 'dist')
const sources = [
  '{src,public}/**/*.*',
  '{index.html,vite.config.ts,build.ts,package.json}',
  '../../packages/{client,contract,markdown}/src/**/*.ts',
  '../../package-lock.json',
]

async function isStale(): Promise<boolean> {
  const built = await stat(join(dist, 'index.html')).catch(() => null)
  if (!built) return true
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const times = await Promise.all(files.map(async (file) => (await stat(join(root, file))).mtimeMs))
  return Math.max(...times) > built.mtimeMs
}

async function buildDashboard(): Promise<void> {
  // It is built beside `dist` and then renamed, so that a running server never sees half of it.
  const next = join(root, 'node_modules', `.dist-${process.pid}`)
  await build({ root, logLevel: 'warn', build: { outDir: next, emptyOutDir: true } })
  for await (const file of glob('**/*.{js,css,svg,html}', { cwd: next })) await compressFile(join(next, file))
  await rm(dist, { recursive: true, force: true })
  await rename(next, dist)
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

if (!process.argv.includes('--if-stale') || (await isStale())) await buildDashboard()
