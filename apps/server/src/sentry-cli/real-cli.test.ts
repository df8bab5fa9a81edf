/** sentry-cli as it is published, against the real server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { SymbolicatedCrash, SymbolsFile } from '@fairlead/contract'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication } from '../testing/upload.ts'

const require = createRequire(import.meta.url)
const run = promisify(execFile)
const fixtures = findNativeFixtures()

const libraries = [
  'elf/libatlas-arm64-split4.so',
  'elf/libatlas-arm64-split4.so.debug',
  'elf/libatlas-armv7-zstd.so',
  'elf/libatlas-i686-fast.so',
  'elf/libatlas-x86_64-nobuildid.so',
]

describe('sentry-cli', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-sentry-cli-'))
  after(() => rm(folder, { recursive: true }))
  const app = await createApplication(server, 'atlas')
  const symbols = join(folder, 'app.android-arm64.symbols')

  before(async () => {
    for (const file of libraries) await writeFile(join(folder, basename(file)), await readFile(join(fixtures, file)))
    await writeFile(symbols, gunzipSync(await readFile(join(fixtures, 'dart/app.android-arm64.symbols.gz'))))
  })

  const sentryCli = async (...words: string[]) => {
    const script = join(require.resolve('@sentry/cli/package.json'), '../bin/sentry-cli')
    const account = ['--url', server.url, '--auth-token', server.token]
    const options = { env: { ...process.env, SENTRY_LOAD_DOTENV: '0' }, timeout: 60_000 }
    const { stdout, stderr } = await run(process.execPath, [script, ...account, ...words], options)
    return stdout + stderr
  }
  const project = ['--org=any', '--project=atlas']
  const listFiles = async () => {
    const { json } = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    return SymbolsFile.array().parse(json)
  }

  it('uploads libraries and symbols of Dart, and sends nothing the second time', async () => {
    const first = await sentryCli('debug-files', 'upload', ...project, folder)
    assert.match(first, /Uploaded 6 missing debug information files/, first)
    const files = await listFiles()
    assert.deepEqual(new Set(files.map(({ kind }) => kind)), new Set(['elf']))
    const ids = files.flatMap(({ images }) => images.map(({ uuid, architecture }) => `${uuid} ${architecture}`))
    assert.deepEqual(ids.toSorted(), [
      '1c13cc07-03a8-24c1-e932-68ce19322737 arm64',
      '40ff7f9c-c75d-310e-3eb5-759c061f3399 arm64',
      '40ff7f9c-c75d-310e-3eb5-759c061f3399 arm64',
      '7dbb88ec-4e49-fdaa-71a2-ec7fe0f219a6 x86_64',
      'a2debf83-b5ac-a408-0000-000000000000 x86',
      'ed065a94-64e9-8626-d72b-850d78e8b777 arm',
    ])
    for (const id of ids) assert.ok(first.includes(id.split(' ')[0] ?? id), first)
    assert.match(await sentryCli('debug-files', 'upload', ...project, folder), /Nothing to upload/)
    assert.equal((await listFiles()).length, 6)
  })

  it('uploads an obfuscation map for the symbols of a build', async () => {
    const map = join(fixtures, 'dart/obfuscation-map.json')
    const answer = await sentryCli('dart-symbol-map', 'upload', ...project, map, symbols)
    assert.match(answer, /Uploaded|upload/i)
    const found = (await listFiles()).filter(({ kind }) => kind === 'dartmap')
    assert.deepEqual(
      found.map(({ images }) => images),
      [
        [
          {
            name: 'obfuscation-map.json',
            uuid: '1c13cc07-03a8-24c1-e932-68ce19322737',
            architecture: null,
            codeId: null,
          },
        ],
      ],
    )
    const again = await sentryCli('dart-symbol-map', 'upload', ...project, map, symbols)
    assert.match(again, /Nothing to upload|already|upload/i)
    assert.equal((await listFiles()).filter(({ kind }) => kind === 'dartmap').length, 1)
  })

  it('uploads source maps by debug id and by release, and sends nothing that is here the second time', async () => {
    const scripts = join(folder, 'scripts')
    await mkdir(scripts)
    await cp(join(fixtures, 'sourcemaps/debugid-metro'), scripts, { recursive: true })
    await cp(join(fixtures, 'sourcemaps/web-esbuild'), scripts, { recursive: true })
    const words = ['sourcemaps', 'upload', '--org=any', '--project=atlas', '--release=org.tarn@2.1.0+210']
    assert.match(await sentryCli(...words, '--dist=211', scripts), /Uploaded files to Sentry/)
    assert.match(await sentryCli(...words, '--dist=211', scripts), /Nothing to upload/)
    assert.match(await sentryCli(...words, scripts), /File processing complete/)
    const found = (await listFiles()).filter(({ kind }) => kind === 'sourcemap')
    assert.deepEqual(
      found.map(({ bundleIdentifier, shortVersion, version }) => [bundleIdentifier, shortVersion, version]),
      [
        ['org.tarn', '2.1.0', '210'],
        ['org.tarn', '2.1.0', '211'],
      ],
    )
    const images = found[0]?.images.map(({ name, uuid }) => `${name} ${uuid}`)
    assert.ok(images)
    assert.ok(images.includes('index.android.bundle.js 9591fcb1-c989-55f9-a7ef-d2f092b67c26'), images.join(', '))
    const stack = 'Error: x\n    at run (https://tarn.example/app.js:1:7464)\n'
    const path = `/v1/applications/${app.id}/symbolicate?shortVersion=2.1.0&version=211`
    const { json } = await server.call('POST', path, { body: stack })
    const [frame] = SymbolicatedCrash.parse(json).threads[0]?.frames ?? []
    assert.deepEqual([frame?.file?.split('/').at(-1), frame?.line, frame?.column], ['tide5.js', 73, 26])
    await assert.rejects(sentryCli(...words, '--project=nobody', scripts), /nobody/)
  })
})
