/**
 * Measures the command line, compiled as it is published, beside its peers: `fairlead --version` beside a bare Node,
 * `fairlead symbolicate` of a crash of 20 frames beside llvm-symbolizer, an upload beside curl. Needs curl, and for the
 * crash what packages/symbols/bench/apple.ts needs.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@fairlead/client'
import { writeSparseApk } from '@fairlead/binary/fixture'
import { makeDsym } from '../packages/symbols/bench/make-dsym.ts'
import { createRandom } from '../packages/symbols/test/random.ts'
import { indexSymbols, openLookup } from '../packages/symbols/src/index.ts'
import { packAll } from '../scripts/pack.ts'
import { openTemporaryFolder, startServerProcess, token } from '../test/processes/server-process.ts'
import { printTable, takeTurns } from './measure.ts'

const rounds = 7
const llvm = '/usr/lib/llvm-19/bin/llvm-symbolizer'
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-cli-'))
const bin = await installPacked()
const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(folder, 'compiled'), FAIRLEAD_CACHE_DIR: folder }

/** Unpacks the tarballs into one `node_modules` folder, beside links to their dependencies. */
async function installPacked(): Promise<string> {
  const modules = join(folder, 'node_modules')
  for (const [name, tarball] of await packAll(folder)) {
    mkdirSync(join(modules, name), { recursive: true })
    spawnSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, name)])
  }
  for (const name of [
    'zod',
    '@stricli',
    'env-paths',
    'is-safe-filename',
    'cli-table3',
    'cli-progress',
    'yazl',
    'uqr',
  ]) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  return join(modules, 'fairlead/dist/bin.js')
}

/** Runs a command and returns the milliseconds from its start to its end. */
async function time(command: string, args: string[], more: Record<string, string> = {}): Promise<number> {
  const started = performance.now()
  const child = spawn(command, args, { env: { ...env, ...more }, stdio: 'ignore' })
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`)
  return performance.now() - started
}

async function compareStarts(): Promise<(string | number)[]> {
  const empty = join(folder, 'empty.js')
  writeFileSync(empty, '')
  const { here, peer } = await takeTurns(rounds * 2, {
    here: () => time(process.execPath, [bin, '--version']),
    peer: () => time(process.execPath, [empty]),
  })
  return toRow('`fairlead --version`', here, 'bare Node', peer, '≤ 1.5 ×')
}

async function compareCrashes(): Promise<(string | number)[]> {
  if (!existsSync(llvm)) return ['`fairlead symbolicate`', '', 'llvm-symbolizer is not here', '', '', '']
  const { dwarf } = makeDsym(join(tmpdir(), 'fairlead-bench-symbols'))
  const { crash, addresses } = await writeCrash(dwarf)
  const first = await time(process.execPath, [bin, 'symbolicate', crash, '--symbols', dwarf])
  console.log(`the first crash of this build, whose index is built: ${first.toFixed(0)} ms`)
  const { here, peer } = await takeTurns(rounds, {
    here: () => time(process.execPath, [bin, 'symbolicate', crash, '--symbols', dwarf]),
    peer: () => time(llvm, ['--inlining', '--relativenames', `--obj=${dwarf}`, ...addresses]),
  })
  return toRow('`fairlead symbolicate`, 20 frames, indexed', here, 'llvm-symbolizer', peer, '≤ 0.3 ×')
}

/** Writes a crash report whose 20 frames are in functions of the image. */
async function writeCrash(dwarf: string): Promise<{ crash: string; addresses: string[] }> {
  const out = mkdtempSync(join(folder, 'index-'))
  const index = await indexSymbols(dwarf, out)
  const image = index.kind === 'dsym' ? index.images[0] : undefined
  if (!image) throw new Error('the dSYM of the bench has no image')
  using lookup = openLookup(image.lookupFile, { names: 'full' })
  const offsets: number[] = []
  const random = createRandom(1)
  while (offsets.length < 20) {
    const offset = 0x4000 + random(5_000_000) * 4
    if (lookup.findFrames(offset).length > 0) offsets.push(offset)
  }
  const lines = [
    'Process:             Big [42]',
    'Hardware Model:      iPhone15,2',
    'OS Version:          iPhone OS 17.0 (21A329)',
    '',
    'Thread 0 Crashed:',
    ...offsets.map(
      (offset, place) => `${place}   Big  0x${(0x1_0000_0000 + offset).toString(16)} 0x100000000 + ${offset}`,
    ),
    '',
    'Binary Images:',
    `0x100000000 - 0x1ffffffff Big arm64 <${image.uuid.replaceAll('-', '').toLowerCase()}> /Big`,
    '',
  ]
  const crash = join(folder, 'big.crash')
  writeFileSync(crash, lines.join('\n'))
  return { crash, addresses: offsets.map((offset) => `0x${offset.toString(16)}`) }
}

/** There are two sizes, because the start of the program and the checks before the transfer take a fixed time. */
async function compareUploads(): Promise<(string | number)[][]> {
  await using data = await openTemporaryFolder()
  await using server = await startServerProcess({ dataDir: data.path })
  const client = createClient({ baseUrl: server.url, token })
  await client.applications.create({ name: 'Shop', alias: 'shop', platform: 'android' })
  const settings = { FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: token }
  const headers = ['-H', `X-Service-Token: ${token}`, '-H', 'X-Service-Application-Alias: shop']
  const rows: (string | number)[][] = []
  for (const [megabytes, times] of [
    [300, rounds],
    [1200, 3],
  ] as const) {
    const apk = join(folder, 'app.apk')
    writeSparseApk(apk, megabytes * 1_000_000, { packageName: 'com.example.shop' })
    const { here, peer } = await takeTurns(times, {
      here: () => time(process.execPath, [bin, 'builds', 'upload', apk, '--app', 'shop'], settings),
      peer: () => time('curl', ['-sf', ...headers, '-T', apk, '-X', 'POST', `${server.url}/v2/builds`]),
    })
    const row = toRow(`upload of ${megabytes} MB, resumable`, here, 'curl, one POST', peer, '')
    rows.push([...row.slice(0, 4), '≥ 0.9 ×', `${(peer / here).toFixed(2)} × of its throughput`])
  }
  return rows
}

function toRow(work: string, here: number, name: string, peer: number, wanted: string): (string | number)[] {
  return [work, `${here.toFixed(0)} ms`, name, `${peer.toFixed(0)} ms`, wanted, `${(here / peer).toFixed(2)} ×`]
}

try {
  const rows = [await compareStarts(), await compareCrashes(), ...(await compareUploads())]
  printTable(['Work', 'here', 'peer', 'time', 'wanted', 'reached'], rows)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
