import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findFixtures } from '../../packages/symbols/test/fixtures.ts'
import { writeTemporaryZip } from '../../apps/cli/src/files/temporary-zip.ts'
import { type Desk, openDesk } from './fairlead.ts'

const fixtures = findFixtures('native')

describe('fairlead and native symbols', { timeout: 300_000, skip: fixtures === undefined }, () => {
  const root = fixtures ?? ''
  let desk: Desk
  const debugId = '1c13cc07-03a8-24c1-e932-68ce19322737'

  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'atlas', '--platform', 'android')
    await desk.json('apps', 'create', 'zipped', '--platform', 'android')
    for (const [from, to] of [
      ['libatlas-arm64-split4.so', 'app/build/stripped/arm64-v8a/libatlas.so'],
      ['libatlas-arm64-split4.so.debug', 'app/build/debug/libatlas.so.debug'],
      ['libatlas-x86_64-uuid.so', 'app/build/merged/x86_64/libatlas.so'],
    ] as const) {
      await mkdir(dirname(join(desk.folder, to)), { recursive: true })
      await copyFile(join(root, 'elf', from), join(desk.folder, to))
    }
    await mkdir(join(desk.folder, 'flutter'))
    const symbols = gunzipSync(await readFile(join(root, 'dart/app.android-arm64.symbols.gz')))
    await writeFile(join(desk.folder, 'flutter/app.android-arm64.symbols'), symbols)
    await copyFile(join(root, 'dart/obfuscation-map.json'), join(desk.folder, 'flutter/obfuscation-map.json'))
    await copyFile(join(root, 'dart/app.android-arm64-trace0.txt'), join(desk.folder, 'trace.txt'))
  })
  after(() => desk[Symbol.asyncDispose]())

  it('finds libraries with symbols in a folder and sends only those that the server lacks', async () => {
    const sent = await desk.json('symbols', 'upload', 'app', '--app', 'atlas')
    assert.deepEqual(
      sent.sent.map((path: string) => path.slice(path.indexOf('/app/') + 1)),
      ['app/build/debug/libatlas.so.debug', 'app/build/merged/x86_64/libatlas.so'],
    )
    const files = await desk.json('symbols', 'list', '--app', 'atlas')
    assert.deepEqual(files.map(({ images }: { images: { name: string }[] }) => images[0]?.name).toSorted(), [
      'libatlas.so',
      'libatlas.so.debug',
    ])
    const again = await desk.json('symbols', 'upload', 'app', '--app', 'atlas')
    assert.deepEqual([again.sent, again.skipped.length], [[], 2])
    // A stripped library that is named is sent, because it may be all that there is.
    const named = await desk.json('symbols', 'upload', 'app/build/stripped/arm64-v8a/libatlas.so', '--app', 'atlas')
    assert.equal(named.sent.length, 1)
  })

  it('sends symbols of Dart and the obfuscation map that is named with them, each once', async () => {
    const args = ['symbols', 'upload', 'flutter', '--app', 'atlas']
    assert.equal((await desk.json(...args)).sent.length, 2)
    const files = await desk.json('symbols', 'list', '--app', 'atlas')
    const map = files.find(({ kind }: { kind: string }) => kind === 'dartmap')
    assert.deepEqual(map.images, [{ name: 'obfuscation-map.json', uuid: debugId, architecture: null, codeId: null }])
    assert.deepEqual((await desk.json(...args)).sent, [])
    const read = await desk.fairlead(['symbolicate', 'trace.txt', '--app', 'atlas'])
    assert.match(read.stdout, /^#0 {6}\S.* \((?:dart|package):\S+:\d+:\d+\)$/m)
    const local = await desk.fairlead(['symbolicate', 'trace.txt', '--symbols', 'flutter'])
    assert.equal(local.stdout, read.stdout)
  })

  it('asks for the symbols of an obfuscation map that comes alone', async () => {
    const args = ['symbols', 'upload', 'flutter/obfuscation-map.json', '--app', 'zipped']
    const unsure = await desk.fairlead(args)
    assert.equal(unsure.code, 2)
    assert.match(unsure.stderr, /--debug-id/)
    assert.equal((await desk.json(...args, '--debug-id', debugId)).sent.length, 1)
    assert.equal((await desk.json(...args, '--debug-id', debugId)).skipped.length, 1)
  })

  it('sends of an archive of the Android build only the libraries that the server lacks', async () => {
    const pack = async (names: Record<string, string>, target: string) => {
      const entries = Object.entries(names).map(([name, file]) => ({ name, path: join(root, 'elf', file) }))
      await using zip = await writeTemporaryZip(entries, new AbortController().signal)
      await copyFile(zip.path, join(desk.folder, target))
    }
    const first = { 'arm64-v8a/libatlas.so.dbg': 'libatlas-arm64-split4.so.debug' }
    const second = { ...first, 'x86_64/libatlas.so.dbg': 'libatlas-x86_64-uuid.so' }
    await pack(first, 'first.zip')
    await pack(second, 'native-debug-symbols.zip')
    await desk.json('symbols', 'upload', 'first.zip', '--app', 'zipped')
    const sent = await desk.json('symbols', 'upload', 'native-debug-symbols.zip', '--app', 'zipped')
    assert.equal(sent.sent.length, 1)
    const files = await desk.json('symbols', 'list', '--app', 'zipped')
    const images = files
      .filter(({ kind }: { kind: string }) => kind === 'elf')
      .map(({ images: list }: { images: { name: string; architecture: string }[] }) =>
        list.map(({ name, architecture }) => `${name} ${architecture}`),
      )
    assert.deepEqual(images, [['libatlas.so.dbg x86_64'], ['libatlas.so.dbg arm64']])
    const again = await desk.json('symbols', 'upload', 'native-debug-symbols.zip', '--app', 'zipped')
    assert.deepEqual([again.sent.length, again.skipped.length], [0, 1])
  })

  it('checks without a server which libraries have symbols', async () => {
    const checked = await desk.fairlead(['symbols', 'check', 'app', 'flutter', 'native-debug-symbols.zip'])
    assert.equal(checked.code, 0, checked.stderr)
    assert.match(
      checked.stdout,
      new RegExp(`^elf\tapp\\.android-arm64\\.symbols\t${debugId.toUpperCase()}\tarm64`, 'm'),
    )
    assert.match(checked.stdout, /^elf\tlibatlas\.so\.dbg\t40FF7F9C-C75D-310E-3EB5-759C061F3399\tarm64/m)
  })
})
