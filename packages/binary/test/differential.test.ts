import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { type ApkOptions, createSigner, writeApk } from '../src/fixture/fixture.ts'
import { type AppInfo, readApp } from '../src/index.ts'
import { fixturesFolder, listFixtures } from './fixtures.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

/** These are commands that Debian packages, not npm packages. */
const aapt = 'aapt'
const apksigner = 'apksigner'
const hasAapt = spawnSync(aapt, ['version']).error === undefined
const hasApksigner = spawnSync(apksigner, ['--version']).error === undefined

const samples: Record<string, ApkOptions> = {
  plain: {},
  translated: { label: 'Größe & <Co>', labels: { de: 'Muster', 'pt-BR': 'Amostra', ja: 'サンプル' } },
  full: {
    versionCode: 2_000_000_000,
    versionName: '1.0-rc.1+build',
    minSdk: 21,
    targetSdk: 34,
    debuggable: true,
    testOnly: true,
    permissions: ['android.permission.INTERNET', 'com.example.OWN'],
    architectures: ['armeabi-v7a', 'x86'],
  },
  bare: { icon: null, label: 'No icon' },
}

describe('compared with aapt', { skip: !hasAapt && 'aapt is not installed' }, () => {
  for (const [name, options] of Object.entries(samples)) {
    test(`the generated APK "${name}" gives the same fields`, async () => {
      using folder = openTemporaryFolder()
      const path = folder.write(`${name}.apk`, writeApk(options))
      assert.deepEqual(toBadging(await readApp(path)), readBadging(path))
    })
  }

  for (const { file, path, truth } of listFixtures().filter(
    ({ file, truth }) => file.endsWith('.apk') && truth['minSdk'],
  )) {
    test(`${file} gives the same fields`, async () => {
      assert.deepEqual(toBadging(await readApp(path)), readBadging(path), String(truth['package']))
    })
  }
  test('the real APKs are compared', { skip: fixturesFolder === undefined }, () => {
    assert.ok(listFixtures().length > 200)
  })
})

describe('compared with apksigner', { skip: !hasApksigner && 'apksigner is not installed' }, () => {
  test('apksigner verifies a generated signature and names the same certificate', async () => {
    using folder = openTemporaryFolder()
    const path = folder.write('signed.apk', writeApk({ schemes: ['v2', 'v3'], signers: [createSigner()] }))
    const { stdout } = spawnSync(apksigner, ['verify', '-v', '--print-certs', path], { encoding: 'utf8' })
    assert.match(stdout, /Verified using v2 scheme \(APK Signature Scheme v2\): true/)
    assert.match(stdout, /Verified using v3 scheme \(APK Signature Scheme v3\): true/)
    const [, sha256] = /certificate SHA-256 digest: ([0-9a-f]{64})/.exec(stdout) ?? []
    const { signing } = await readApp(path, { verify: true })
    assert.equal(signing.integrity, 'verified')
    assert.deepEqual([...new Set(signing.certificates.map((certificate) => certificate.sha256))], [sha256])
  })

  test('apksigner detects the same changed byte', async () => {
    using folder = openTemporaryFolder()
    const bytes = writeApk({ files: [{ name: 'assets/note', data: Buffer.from('what was signed') }] })
    bytes.write('W', bytes.indexOf('what was signed'))
    const path = folder.write('changed.apk', bytes)
    assert.notEqual(spawnSync(apksigner, ['verify', path]).status, 0)
    assert.equal((await readApp(path, { verify: true })).signing.integrity, 'broken')
  })
})

interface Badging {
  package: string | undefined
  versionCode: string | undefined
  versionName: string | undefined
  minSdk: string | undefined
  targetSdk: string | undefined
  label: string | undefined
  debuggable: boolean
  permissions: string[]
  abis: string[]
}

function toBadging(app: AppInfo): Badging {
  return {
    package: app.bundleIdentifier,
    versionCode: app.version ?? '',
    versionName: app.shortVersion ?? '',
    minSdk: app.minOsVersion ?? undefined,
    targetSdk: app.targetOsVersion ?? undefined,
    label: app.name,
    debuggable: app.debuggable,
    permissions: app.permissions,
    abis: app.architectures,
  }
}

function readBadging(path: string): Badging {
  const { stdout } = spawnSync(aapt, ['dump', 'badging', path], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1]
  const findAll = (pattern: RegExp) => [...new Set([...stdout.matchAll(pattern)].map(([, text]) => text ?? ''))].sort()
  const abis = [find(/^native-code: (.*)$/m), find(/^alt-native-code: (.*)$/m)].join(' ')
  // Permissions that Android grants old apps implicitly are not in the manifest.
  const implied = new Set(findAll(/^uses-implied-permission: name='([^']*)'/gm))
  const name = find(/^package: name='([^']*)'/m)
  const label = find(/^application-label:'(.*)'$/m) ?? find(/^application: label='(.*?)' icon=/m)
  const launcherLabel = find(/^launchable-activity: .* label='(.*?)' icon=/m)
  return {
    package: name,
    versionCode: find(/^package: .*versionCode='([^']*)'/m),
    versionName: find(/^package: .*versionName='([^']*)'/m),
    minSdk: find(/^sdkVersion:'([^']*)'/m),
    targetSdk: find(/^targetSdkVersion:'([^']*)'/m),
    label: label || launcherLabel || name,
    debuggable: /^application-debuggable$/m.test(stdout),
    permissions: findAll(/^uses-permission(?:-sdk-23)?: name='([^']*)'/gm).filter((name) => !implied.has(name)),
    abis: [...abis.matchAll(/'([^']*)'/g)].map(([, abi]) => abi ?? '').sort(),
  }
}
