import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTemporaryFolder } from '../test/temporary-folder.ts'
import { createSigner, writeApk, writeIpa, writeSparseApk, writeZip } from './fixture/fixture.ts'
import { writeApks } from './fixture/write-apk.ts'
import { writeProfile } from './fixture/write-profile.ts'
import { BinaryError, openZip, readApp } from './index.ts'
import type { BinaryErrorCode } from './binary-error.ts'

function rejectsWith(code: BinaryErrorCode, bytes: Buffer): Promise<void> {
  return assert.rejects(readApp(bytes), (error) => error instanceof BinaryError && error.code === code)
}

describe('readApp on an APK', () => {
  test('returns the fields of the manifest and the resources', async () => {
    const signer = createSigner({ commonName: 'Release', notAfter: new Date('2050-06-01T00:00:00Z') })
    const bytes = writeApk({
      packageName: 'dev.example.shop',
      versionCode: 42,
      versionName: ' 1.2 beta ',
      label: 'Shop & Co',
      labels: { de: 'Laden', 'pt-BR': 'Loja', fr: 'Shop & Co' },
      minSdk: 26,
      targetSdk: 35,
      permissions: ['android.permission.INTERNET', 'android.permission.CAMERA', 'android.permission.INTERNET'],
      architectures: ['x86_64', 'arm64-v8a'],
      signers: [signer],
    })
    assert.deepEqual(await readApp(bytes), {
      platform: 'android',
      bundleIdentifier: 'dev.example.shop',
      shortVersion: ' 1.2 beta ',
      version: '42',
      name: 'Shop & Co',
      names: { de: 'Laden', 'pt-BR': 'Loja' },
      icon: { kind: 'image', path: 'res/icon.png', format: 'png' },
      minOsVersion: '26',
      targetOsVersion: '35',
      permissions: ['android.permission.CAMERA', 'android.permission.INTERNET'],
      debuggable: false,
      architectures: ['arm64-v8a', 'x86_64'],
      deviceFamilies: [],
      signing: {
        integrity: 'extracted',
        certificates: [
          { scheme: 'v2', sha256: signer.sha256, subject: 'CN=Release', notAfter: '2050-06-01T00:00:00.000Z' },
        ],
        lineage: [],
        blockIds: ['0x7109871a'],
        profile: null,
      },
      split: null,
      needsSplits: false,
      isTestOnly: false,
      isForSimulator: false,
      nested: [],
      warnings: [],
    })
  })

  test('lists permissions that are names, in limited number, and says how many it left out', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `com.example.P${String(index).padStart(4, '0')}`)
    const odd = ['two words', 'line\nfeed', 'bell\u0007', 'turned\u202Earound', 'x'.repeat(256)]
    const { permissions, warnings } = await readApp(writeApk({ permissions: [...names, ...odd, '${appId}.PUSH'] }))
    assert.deepEqual(permissions, ['${appId}.PUSH', ...names.slice(0, 999)])
    assert.deepEqual(warnings, ['206 requested permissions are left out: too many, or no valid names.'])
  })

  test('combines versionCodeMajor and versionCode into one number', async () => {
    const { version } = await readApp(writeApk({ versionCode: 0xfffffffe, versionCodeMajor: 2 }))
    assert.equal(version, String(2n * 2n ** 32n + 0xfffffffen))
  })

  test('uses the identifier as the name if there is none, and null for a missing icon', async () => {
    const { name, icon } = await readApp(writeApk({ label: '', icon: null }))
    assert.equal(name, 'dev.fairlead.sample')
    assert.equal(icon, null)
  })

  test('warns about anything that would prevent installation', async () => {
    const warningsOf = async (bytes: Buffer) => (await readApp(bytes)).warnings.join('\n')
    assert.match(await warningsOf(writeApk({ schemes: [] })), /not signed/)
    assert.match(await warningsOf(writeApk({ testOnly: true })), /testing only/)
    assert.equal((await readApp(writeApk({ testOnly: true }))).isTestOnly, true)
    assert.match(await warningsOf(writeApk({ split: 'config.de' })), /only a part of the app \(config\.de\)/)
    assert.match(await warningsOf(writeApk({ minSdk: 21 })), /scheme v1 is missing/)
    const debugKey = createSigner({ commonName: 'Android Debug' })
    assert.match(await warningsOf(writeApk({ signers: [debugKey] })), /debug key/)
  })

  test('refuses an identifier with characters that are special in HTML, paths or headers', async () => {
    for (const packageName of ['a/../b', 'a<b>', 'a b', 'a\nb', 'ä.b', 'a'.repeat(300)]) {
      await rejectsWith('invalid-identifier', writeApk({ packageName }))
    }
    await rejectsWith('missing-field', writeApk({ packageName: '' }))
  })

  test('refuses two manifests, because readers would disagree about which one counts', async () => {
    await rejectsWith('ambiguous', writeApk({ files: [{ name: 'AndroidManifest.xml', data: Buffer.from('x') }] }))
  })

  test('warns about damaged resources and returns the other fields', async () => {
    const files = [
      { name: 'AndroidManifest.xml', data: readPart(writeApk()) },
      { name: 'resources.arsc', data: Buffer.alloc(64, 7) },
    ]
    const { bundleIdentifier, name, warnings } = await readApp(writeZip(files))
    assert.deepEqual([bundleIdentifier, name], ['dev.fairlead.sample', 'dev.fairlead.sample'])
    assert.match(warnings.join('\n'), /resources could not be read/)
  })

  test('reads a large resource table in place with the same result', async () => {
    const labels = Object.fromEntries(
      Array.from({ length: 26 * 26 }, (_, index) => [toLanguage(index), 'x'.repeat(900) + index]),
    )
    const { name, names } = await readApp(writeApk({ label: 'Large', labels }))
    assert.equal(name, 'Large')
    assert.deepEqual(names, Object.fromEntries(Object.entries(labels).slice(0, 499)))
  })

  test('reads files of 1, 3 and 5 GB like a small one', async () => {
    using folder = openTemporaryFolder()
    for (const gigabytes of [1, 3, 5]) {
      const path = folder.path(`${gigabytes}.apk`)
      writeSparseApk(path, gigabytes * 1024 ** 3, { versionCode: gigabytes })
      const { version, name } = await readApp(path)
      assert.deepEqual([version, name], [String(gigabytes), 'Sample'])
    }
  })
})

describe('readApp with verify', () => {
  test('accepts valid signatures of every scheme', async () => {
    const signers = [createSigner(), createSigner()]
    const bytes = writeApk({
      schemes: ['v2', 'v3'],
      signers,
      files: [{ name: 'big', data: Buffer.alloc(3_000_000, 1) }],
    })
    const { signing } = await readApp(bytes, { verify: true })
    assert.equal(signing.integrity, 'verified')
    assert.deepEqual(
      signing.certificates.map(({ scheme, sha256 }) => [scheme, sha256]),
      [
        ['v2', signers[0]?.sha256],
        ['v2', signers[1]?.sha256],
        ['v3', signers[0]?.sha256],
        ['v3', signers[1]?.sha256],
      ],
    )
  })

  test('detects one changed byte anywhere in the file', async () => {
    const bytes = writeApk({ files: [{ name: 'assets/note', data: Buffer.from('what was signed') }] })
    bytes.writeUInt8(0x57, bytes.indexOf('what was signed'))
    const { signing, warnings } = await readApp(bytes, { verify: true })
    assert.equal(signing.integrity, 'broken')
    assert.match(warnings.join('\n'), /changed afterwards/)
  })

  test('detects a changed signature', async () => {
    const bytes = writeApk()
    const block = bytes.indexOf('APK Sig Block 42')
    const certificate = bytes.lastIndexOf('Fairlead Test', block)
    bytes.write('Somebody Else', certificate)
    const { signing } = await readApp(bytes, { verify: true })
    assert.equal(signing.integrity, 'broken')
  })

  test('reports a signature as extracted, not verified, without the option', async () => {
    const { signing } = await readApp(writeApk())
    assert.equal(signing.integrity, 'extracted')
  })
})

describe('readApp on an IPA', () => {
  test('returns the fields of Info.plist and the profile', async () => {
    const bytes = writeIpa({
      bundleIdentifier: 'dev.example.shop',
      shortVersion: '2.0',
      version: '2.0.17',
      name: 'Shop',
      names: { de: 'Laden "Neu"' },
      minOsVersion: '15.0',
      profile: {
        type: 'ad-hoc',
        teamId: 'ABCDE12345',
        devices: ['a', 'b', 'c'],
        expirationDate: new Date('2030-01-02T03:04:05Z'),
      },
      info: { NSCameraUsageDescription: 'To scan.' },
      files: [
        { name: 'Payload/Sample.app/PlugIns/Widget.appex/Info.plist', data: infoPlist('dev.example.shop.widget') },
      ],
    })
    const { signing, ...app } = await readApp(bytes)
    assert.deepEqual(app, {
      platform: 'ios',
      bundleIdentifier: 'dev.example.shop',
      shortVersion: '2.0',
      version: '2.0.17',
      name: 'Shop',
      names: { de: 'Laden "Neu"' },
      icon: { kind: 'image', path: 'Payload/Sample.app/AppIcon60x60@2x.png', format: 'png' },
      minOsVersion: '15.0',
      targetOsVersion: '26.0',
      permissions: ['NSCameraUsageDescription'],
      debuggable: false,
      architectures: ['arm64'],
      deviceFamilies: ['iphone', 'ipad'],
      split: null,
      needsSplits: false,
      isTestOnly: false,
      isForSimulator: false,
      nested: [
        {
          path: 'Payload/Sample.app/PlugIns/Widget.appex',
          bundleIdentifier: 'dev.example.shop.widget',
          extensionPoint: 'com.apple.widgetkit-extension',
        },
      ],
      warnings: [],
    })
    const { entitlements, ...profile } = signing.profile ?? assert.fail('no profile')
    assert.deepEqual(profile, {
      type: 'ad-hoc',
      name: 'Sample ad-hoc',
      uuid: '6f1c2c4e-0000-4000-8000-000000000001',
      teamId: 'ABCDE12345',
      teamName: 'Sample Team',
      appIdentifier: 'ABCDE12345.dev.example.shop',
      creationDate: '2026-01-01T00:00:00.000Z',
      expirationDate: '2030-01-02T03:04:05.000Z',
      deviceCount: 3,
      devices: ['a', 'b', 'c'],
    })
    assert.equal(entitlements['get-task-allow'], false)
  })

  test('distinguishes the four types of profile', async () => {
    for (const type of ['development', 'ad-hoc', 'enterprise', 'app-store'] as const) {
      const { signing, debuggable } = await readApp(writeIpa({ profile: { type } }))
      assert.equal(signing.profile?.type, type)
      assert.equal(debuggable, type === 'development')
    }
  })

  test("takes the app's own profile, not that of a watch app that comes first", async () => {
    const watch = {
      name: 'Payload/Sample.app/Watch/W.app/embedded.mobileprovision',
      data: writeProfile({ type: 'app-store', name: 'Watch' }),
    }
    const own = { name: 'Payload/Sample.app/embedded.mobileprovision', data: writeProfile({ name: 'Own' }) }
    const { signing } = await readApp(writeIpa({ profile: null, files: [watch, own] }))
    assert.equal(signing.profile?.name, 'Own')
  })

  test('ignores a decoy property list outside the content of the profile', async () => {
    const decoy = Buffer.from('<?xml version="1.0"?><plist><dict><key>Name</key><string>Decoy</string></dict></plist>')
    const data = Buffer.concat([writeProfile({ name: decoy.toString() }), decoy])
    const files = [{ name: 'Payload/Sample.app/embedded.mobileprovision', data }]
    const { signing } = await readApp(writeIpa({ profile: null, files }))
    assert.equal(signing.profile?.name, decoy.toString())
  })

  test('refuses two apps, and an identifier that is not a string', async () => {
    const other = { name: 'Payload/Other.app/Info.plist', data: infoPlist('dev.example.other') }
    await rejectsWith('ambiguous', writeIpa({ files: [other] }))
    await rejectsWith('missing-field', writeIpa({ info: { CFBundleIdentifier: 7 } }))
    await rejectsWith('invalid-identifier', writeIpa({ bundleIdentifier: '"><script>' }))
  })

  test('detects the platform and simulator builds', async () => {
    const platformOf = async (name: string) =>
      readApp(writeIpa({ info: { CFBundleSupportedPlatforms: [name], DTPlatformName: name.toLowerCase() } }))
    assert.equal((await platformOf('AppleTVOS')).platform, 'tvos')
    assert.equal((await platformOf('XROS')).platform, 'visionos')
    const simulator = await platformOf('iPhoneSimulator')
    assert.equal(simulator.platform, 'ios')
    assert.match(simulator.warnings.join('\n'), /simulator/)
  })
})

describe('readApp on a file that cannot be installed', () => {
  test('rejects with the code for its kind', async () => {
    await rejectsWith('not-a-zip', Buffer.from('hello'))
    await rejectsWith('not-a-zip', Buffer.alloc(0))
    await rejectsWith('not-an-app', writeZip([{ name: 'a', data: Buffer.from('b') }]))
    await assert.rejects(readApp('/nowhere/at/all.apk'), { name: 'BinaryError', code: 'unreadable' })
  })

  test('says what to upload instead of a set of APKs, and carries the fields that were read', async () => {
    await assert.rejects(readApp(writeApks({ versionName: '9.9' })), (error) => {
      assert.ok(error instanceof BinaryError)
      assert.equal(error.code, 'split-archive')
      assert.match(error.message, /Upload one APK/)
      assert.equal(error.app?.shortVersion, '9.9')
      return true
    })
  })
})

/** Returns a language code, `aa` to `zz`. */
function toLanguage(index: number): string {
  return String.fromCharCode(0x61 + Math.floor(index / 26), 0x61 + (index % 26))
}

/** Reads AndroidManifest.xml of a generated APK, where it is the first and a deflated entry. */
function readPart(apk: Buffer): Buffer {
  using archive = openZip(apk)
  const entry = archive.findEntry('AndroidManifest.xml') ?? assert.fail('no manifest')
  return archive.readEntry(entry, 1024 * 1024)
}

function infoPlist(identifier: string): Buffer {
  return Buffer.from(
    `<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>${identifier}</string>` +
      '<key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>' +
      '<string>com.apple.widgetkit-extension</string></dict></dict></plist>',
  )
}
