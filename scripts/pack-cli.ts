/**
 * Packs the command line into `apps/cli/dist`, from where the server offers it at `/cli/fairlead-VERSION.tgz`. With
 * `--if-stale` it does so only if a source is newer than the last tarball.
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packAll } from './pack.ts'
import { readJson } from './read-json.ts'

const root = join(import.meta.dirname, '..')
const destination = join(root, 'apps/cli/dist')
const sources = [
  'apps/cli/{src/**/*.ts,package.json,README.md}',
  'packages/{binary,client,contract,symbols,workers}/src/**/*.ts',
  'scripts/pack*.ts',
  'package-lock.json',
]

function isStale(): boolean {
  const { version } = readJson<{ version: string }>(readFileSync(join(root, 'apps/cli/package.json'), 'utf8'))
  const tarball = join(destination, `fairlead-${version}.tgz`)
  if (!existsSync(tarball)) return true
  const packed = statSync(tarball).mtimeMs
  return sources.some((pattern) =>
    globSync(pattern, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > packed),
  )
}

if (!process.argv.includes('--if-stale') || isStale()) {
  mkdirSync(destination, { recursive: true })
  // It is packed beside the old one and then renamed, so that a running server never sends half of it.
  const next = mkdtempSync(join(destination, '.next-'))
  const tarballs = await packAll(next, ['@fairlead/cli'])
  for (const old of globSync('*.tgz', { cwd: destination })) rmSync(join(destination, old))
  for (const path of tarballs.values()) renameSync(path, join(destination, basename(path)))
  rmSync(next, { recursive: true })
}
