import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { writeApk, writeIpa } from '@fairlead/binary/fixture'
import { sampleUuid, textAddress, writeInfoPlist, writeSampleImage } from '../../packages/symbols/test/sample-app.ts'
import { writeTombstone } from '../../packages/symbols/test/write-tombstone.ts'
import { openTemporaryFolder } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'

const crash = [
  'Process:             Shop [42]',
  'Identifier:          com.example.shop',
  'Hardware Model:      iPhone15,2',
  'OS Version:          iPhone OS 17.0 (21A329)',
  'Report Version:      104',
  '',
  'Thread 0 Crashed:',
  `0   Shop  0x0000000100000130 0x${textAddress.toString(16)} + 304`,
  '',
  'Binary Images:',
  `0x100000000 - 0x1000002ff Shop arm64 <${sampleUuid.replaceAll('-', '').toLowerCase()}> /Shop`,
  '',
].join('\n')

const mapping = 'com.example.Cart -> a.b:\n    1:1:int total():12:12 -> c\n'
const trace = 'java.lang.IllegalStateException\n\tat a.b.c(SourceFile:1)\n'

/** The image in the app that belongs to the dSYM; both have the same UUID. */
const appImage = writeSampleImage()

describe('fairlead and symbols', { timeout: 300_000 }, () => {
  let desk: Desk
  const offline = { FAIRLEAD_URL: '', FAIRLEAD_TOKEN: '' }

  before(async () => {
    desk = await openDesk()
    const bundle = 'Shop.xcarchive/dSYMs/Shop.app.dSYM/Contents'
    await put(`${bundle}/Info.plist`, writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'))
    await put(`${bundle}/Resources/DWARF/Shop`, writeSampleImage())
    await put('crash.crash', crash)
    const outputs = 'project/app/build/outputs'
    for (const variant of ['freeRelease', 'paidRelease']) {
      await put(`${outputs}/mapping/${variant}/mapping.txt`, `# variant: ${variant}\n${mapping}`)
    }
    const elements = [{ versionCode: 34, versionName: '1.2' }]
    const metadata = { applicationId: 'com.example.shop', variantName: 'paidRelease', elements }
    await put(`${outputs}/apk/paid/release/output-metadata.json`, JSON.stringify(metadata))
    await put('trace.txt', trace)
    const files = [{ name: 'Payload/Sample.app/Frameworks/Shop.framework/Shop', data: appImage }]
    await put('Shop.ipa', writeIpa({ bundleIdentifier: 'com.example.shop', files }))
    await desk.json('apps', 'create', 'shop-ios', '--platform', 'ios')
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())

  async function put(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(desk.folder, path)), { recursive: true })
    await writeFile(join(desk.folder, path), content)
  }

  it('reads a crash without a server, and keeps the index that it built for the next crash', async () => {
    const args = ['symbolicate', 'crash.crash', '--symbols', 'Shop.xcarchive']
    const { code, stdout, stderr } = await desk.fairlead(args, { env: offline })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /round \[inlined\] \(money\.h:40:7\)[^]*Cart::total\(\) \(cart\.cpp:12:9\)/)
    const cached = await readdir(join(desk.folder, '.cache', 'symbols'))
    assert.equal(cached.length, 1)
    assert.equal((await desk.fairlead(args, { env: offline })).stdout, stdout)
    assert.deepEqual(await readdir(join(desk.folder, '.cache', 'symbols')), cached)
  })

  it('names the symbols that a crash needs and that are missing, and fails because of them with --strict', async () => {
    const empty = join(desk.folder, 'empty')
    await mkdir(empty, { recursive: true })
    const args = ['symbolicate', 'crash.crash', '--symbols', empty]
    const { code, stderr } = await desk.fairlead(args, { env: offline })
    assert.equal(code, 0)
    assert.match(stderr, new RegExp(`Symbols are missing: Shop \\(${sampleUuid}\\)`))
    assert.equal((await desk.fairlead([...args, '--strict'], { env: offline })).code, 8)
  })

  it('finds dSYMs in an archive, and packs and sends those that the server does not have', async () => {
    await desk.json('builds', 'upload', 'Shop.ipa', '--app', 'shop-ios')
    const missing = await desk.fairlead(['symbols', 'missing', '--app', 'shop-ios'])
    assert.equal(missing.code, 8)
    assert.match(missing.stdout, new RegExp(`\tShop\t${sampleUuid}\t`))
    await using temporary = await openTemporaryFolder()
    const args = ['symbols', 'upload', 'Shop.xcarchive', '--app', 'shop-ios']
    const first = await desk.fairlead(args, { env: { TMPDIR: temporary.path } })
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^sent {2}.*Shop\.app\.dSYM$/m)
    assert.deepEqual(
      (await readdir(temporary.path)).filter((name) => !name.startsWith('node-compile-cache')),
      [],
    )
    assert.match((await desk.fairlead(args)).stdout, /^there {2}.*Shop\.app\.dSYM$/m)
    const files = await desk.json('symbols', 'list', '--app', 'shop-ios')
    assert.equal(files.length, 1)
    const left = await desk.fairlead(['symbols', 'missing', '--app', 'shop-ios'])
    assert.doesNotMatch(left.stdout, new RegExp(sampleUuid))
    const read = await desk.fairlead(['symbolicate', 'crash.crash', '--app', 'shop-ios'])
    assert.match(read.stdout, /Cart::total\(\) \(cart\.cpp:12:9\)/)
  })

  it('takes the mapping of the variant that was built, with its version from the project', async () => {
    const unsure = await desk.fairlead(['symbols', 'upload', 'project', '--app', 'shop'])
    assert.equal(unsure.code, 2)
    assert.match(unsure.stderr, /There are mappings of: freeRelease, paidRelease/)
    const sent = await desk.json('symbols', 'upload', 'project', '--app', 'shop', '--flavor', 'paidRelease')
    assert.equal(sent.sent.length, 1)
    const [file] = await desk.json('symbols', 'list', '--app', 'shop')
    assert.deepEqual([file.bundleIdentifier, file.shortVersion, file.version], ['com.example.shop', '1.2', '34'])
    const again = await desk.json('symbols', 'upload', 'project', '--app', 'shop', '--flavor', 'paidRelease')
    assert.deepEqual([again.sent.length, again.skipped.length], [0, 1])
    const versions = ['--version', '34', '--short-version', '1.2']
    const read = await desk.fairlead(['symbolicate', 'trace.txt', '--app', 'shop', ...versions])
    assert.match(read.stdout, /at com\.example\.Cart\.total\(Cart\.java:12\)/)
  })

  it('asks for the build of a mapping that nothing names, and accepts an APK as the answer', async () => {
    await put('mapping.txt', `# another\n${mapping}`)
    await put('app.apk', writeApk({ packageName: 'com.example.shop', versionName: '2.0', versionCode: 50 }))
    const unsure = await desk.fairlead(['symbols', 'upload', 'mapping.txt', '--app', 'shop'])
    assert.equal(unsure.code, 2)
    assert.match(unsure.stderr, /--for app\.apk/)
    await desk.json('symbols', 'upload', 'mapping.txt', '--app', 'shop', '--for', 'app.apk')
    const [newest] = await desk.json('symbols', 'list', '--app', 'shop')
    assert.deepEqual([newest.shortVersion, newest.version], ['2.0', '50'])
  })

  it('restores a trace from a file or a pipe without a server', async () => {
    await put('mapping.txt', mapping)
    const fromFile = await desk.fairlead(['retrace', 'trace.txt', '--mapping', 'mapping.txt'], { env: offline })
    assert.equal(fromFile.code, 0, fromFile.stderr)
    assert.match(fromFile.stdout, /at com\.example\.Cart\.total\(Cart\.java:12\)/)
    const args = ['retrace', '-', '--mapping', 'mapping.txt']
    const fromPipe = await desk.fairlead(args, { env: offline, input: trace })
    assert.equal(fromPipe.stdout, fromFile.stdout)
    const local = await desk.fairlead(['symbolicate', 'trace.txt', '--symbols', 'mapping.txt'], { env: offline })
    assert.match(local.stdout, /com\.example\.Cart\.total/)
  })

  it('checks without a server whether a build has its symbols', async () => {
    const whole = await desk.fairlead(['symbols', 'check', 'Shop.xcarchive'], { env: offline })
    assert.equal(whole.code, 0)
    assert.match(whole.stdout, new RegExp(`^dsym\tShop\t${sampleUuid}\t`, 'm'))
    const args = ['symbols', 'check', 'mapping.txt', '--for', 'Shop.ipa']
    const lacking = await desk.fairlead(args, { env: offline })
    assert.equal(lacking.code, 8)
    assert.match(lacking.stderr, new RegExp(sampleUuid))
  })

  it('sends the source map of a bundle with its release, each once, and reads stacks with it', async () => {
    // Column 10 of line 1 is line 2, column 2 of the source.
    const map = { version: 3, sources: ['src/cart.ts'], names: [], mappings: 'AAAA,UACE' }
    await put('react/index.android.bundle.map', JSON.stringify(map))
    await put('stack.txt', 'TypeError: gone\n    at pay (address at index.android.bundle:1:10)\n')
    const release = ['--package', 'com.example.shop', '--version-name', '1.2', '--version-code']
    const upload = (code: string) => desk.json('symbols', 'upload', 'react', '--app', 'shop', ...release, code)
    assert.equal((await upload('34')).sent.length, 1)
    const [file] = await desk.json('symbols', 'list', '--app', 'shop')
    assert.deepEqual(
      [file.kind, file.images[0].name, file.shortVersion, file.version],
      ['sourcemap', 'index.android.bundle', '1.2', '34'],
    )
    const again = await upload('34')
    assert.deepEqual([again.sent, again.skipped.length], [[], 1])
    // Another release may have the same bytes, and needs the map as well.
    assert.equal((await upload('35')).sent.length, 1)
    const versions = ['--version', '34', '--short-version', '1.2']
    const read = await desk.fairlead(['symbolicate', 'stack.txt', '--app', 'shop', ...versions])
    assert.match(read.stdout, /^ {4}at pay \(src\/cart\.ts:2:3\)$/m)
    const local = await desk.fairlead(['symbolicate', 'stack.txt', '--symbols', 'react'], { env: offline })
    assert.equal(local.stdout, read.stdout)
  })

  it('reads a tombstone as Protocol Buffers, whose bytes are no text', async () => {
    const buildId = 'e1f2'.repeat(10)
    const frame = { pc: 0xf_ffff, function: 'pilot_draw', file: '/data/app/libpilot.so', buildId }
    await put('tombstone_00.pb', writeTombstone([frame]))
    const args = ['symbolicate', 'tombstone_00.pb', '--app', 'shop']
    const { kind, threads, missingSymbols } = await desk.json(...args)
    const [{ address, module, function: name }] = threads[0].frames
    assert.deepEqual([kind, address, module, name], ['native', '0xfffff', 'libpilot.so', 'pilot_draw'])
    assert.equal(missingSymbols[0].codeId, buildId)
    const local = ['symbolicate', 'tombstone_00.pb', '--symbols', 'mapping.txt']
    assert.deepEqual((await desk.json(...local)).threads, threads)
  })

  it('expects the source map of a bundle of JavaScript in a build, on this machine and on the server', async () => {
    const id = '5c6f1f0e-93f1-4b9e-a8a6-0b7d4d1f1f10'
    const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }
    const name = 'index.android.bundle'
    const files = (code: string) => [{ name: `assets/${name}`, data: Buffer.from(code) }]
    const app = { packageName: 'com.example.native', versionName: '1.0' }
    await put('plain.apk', writeApk({ ...app, versionCode: 1, files: files('run()') }))
    await put('named.apk', writeApk({ ...app, versionCode: 2, files: files(`run()\n//# debugId=${id}`) }))
    await put('maps/plain/index.android.bundle.map', JSON.stringify(map))
    await put('maps/named/index.android.bundle.map', JSON.stringify({ ...map, debugId: id }))
    const check = (maps: string, apk: string) =>
      desk.fairlead(['symbols', 'check', maps, '--for', apk], { env: offline })
    assert.equal((await check('maps/plain', 'plain.apk')).code, 0)
    assert.equal((await check('maps/named', 'named.apk')).code, 0)
    const lacking = await check('maps/plain', 'named.apk')
    assert.deepEqual([lacking.code, lacking.stderr.includes(`${name} (${id.toUpperCase()})`)], [8, true])
    assert.equal((await check('mapping.txt', 'plain.apk')).code, 8)

    await desk.json('apps', 'create', 'native', '--platform', 'android')
    const findMissing = async (build: string) => {
      const { stdout } = await desk.fairlead(['symbols', 'missing', build, '--json'])
      return JSON.parse(stdout).map(({ uuid }: { uuid: string }) => uuid)
    }
    const builds: string[] = []
    for (const apk of ['plain.apk', 'named.apk']) {
      builds.push(String((await desk.json('builds', 'upload', apk, '--app', 'native')).id))
    }
    const [plain = '', named = ''] = builds
    assert.deepEqual([await findMissing(plain), await findMissing(named)], [[''], [id]])
    await desk.json('symbols', 'upload', 'maps/named', '--app', 'native')
    assert.deepEqual([await findMissing(plain), await findMissing(named)], [[''], []])
    await desk.json('symbols', 'upload', 'maps/plain', '--app', 'native', '--for', 'plain.apk')
    assert.deepEqual(await findMissing(plain), [])
  })

  it('lists what crashes wait for, although no build has it', async () => {
    await desk.json('apps', 'create', 'crashing', '--platform', 'android')
    await put('renamed.txt', 'FATAL EXCEPTION: main\njava.lang.Error: gone\n\tat a.b.c(SourceFile:3)\n')
    await desk.json('crashes', 'upload', 'renamed.txt', '--app', 'crashing', '--short-version', '1.2', '--version', '3')
    const list = async () =>
      JSON.parse((await desk.fairlead(['symbols', 'missing', '--app', 'crashing', '--json'])).stdout)
    // The report is read in the background.
    let missing = await list()
    while (missing.length === 0) {
      await delay(100)
      missing = await list()
    }
    assert.deepEqual(missing, [
      {
        build: null,
        version: '1.2 (3)',
        kind: 'proguard',
        name: null,
        uuid: null,
        architecture: null,
        crashCount: 1,
      },
    ])
  })

  it('refuses to symbolicate without --app or --symbols', async () => {
    assert.equal((await desk.fairlead(['symbolicate', 'crash.crash'], { env: offline })).code, 2)
  })
})
