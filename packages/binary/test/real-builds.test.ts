import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { writeZip } from '../src/fixture/fixture.ts'
import { type AppInfo, BinaryError, readApp } from '../src/index.ts'
import { type FixtureRow, fixturesFolder, listFixtures, type ApksignerTruth } from './fixtures.ts'

const skip = fixturesFolder === undefined && 'the folder of real builds is not there'
const real = listFixtures().filter(({ file }) => !/^(malicious|generated)\//.test(file))

describe('real builds', { skip }, () => {
  for (const row of real.filter(({ truth }) => truth['package'] !== undefined)) {
    test(`${row.file} matches aapt and apksigner`, async () => comparesToAndroid(await readRow(row), row.truth))
  }
  for (const row of real.filter(({ truth }) => truth['bundleId'] !== undefined)) {
    test(`${row.file} matches plistutil and OpenSSL`, async () => comparesToApple(await readApp(row.path), row.truth))
  }
  for (const row of real.filter(
    ({ file, truth }) => /\.(apk|ipa)$/.test(file) && !truth['package'] && !truth['bundleId'],
  )) {
    test(`${row.file} is read, or refused by a BinaryError`, async () => {
      await readApp(row.path, { verify: true }).catch((error: unknown) => assert.ok(error instanceof BinaryError))
    })
  }
})

/**
 * Reads a fixture. A bare manifest is packed into an archive first; of an app bundle, the fields in the error are used.
 */
async function readRow({ path, file }: FixtureRow): Promise<Partial<AppInfo>> {
  if (file.endsWith('.xml')) return readApp(writeZip([{ name: 'AndroidManifest.xml', data: readFileSync(path) }]))
  if (!file.endsWith('.aab')) return readApp(path, { verify: true })
  return readApp(path).then(
    () => assert.fail('an app bundle cannot be installed'),
    (error: BinaryError) => error.app ?? assert.fail(error.message),
  )
}

function comparesToAndroid(app: Partial<AppInfo>, truth: FixtureRow['truth']): void {
  assert.equal(app.bundleIdentifier, truth['package'])
  assert.equal(app.version, truth['versionCode'] ?? null)
  assert.equal(app.shortVersion, truth['versionName'] ?? null)
  if (truth['label'] !== undefined) assert.equal(app.name, truth['label'])
  if (truth['minSdk'] !== undefined) assert.equal(app.minOsVersion, truth['minSdk'])
  if (truth['targetSdk'] !== undefined) assert.equal(app.targetOsVersion, truth['targetSdk'])
  if (truth['split'] !== undefined) assert.equal(app.split, truth['split'])
  if (truth['debuggable'] !== undefined) assert.equal(app.debuggable, truth['debuggable'])
  if (truth['labels'] !== undefined) assert.deepEqual(app.names, truth['labels'])
  if (truth['permissions'] !== undefined) assert.deepEqual(app.permissions, truth['permissions'].toSorted())
  if (truth['abis'] !== undefined) assert.deepEqual(app.architectures, truth['abis'].toSorted())
  comparesToApksigner(app, truth['apksigner'])
}

function comparesToApksigner(app: Partial<AppInfo>, truth: ApksignerTruth | undefined): void {
  if (!truth?.verifies) return
  const { integrity, certificates } = app.signing ?? assert.fail('no signing')
  assert.equal(integrity, truth.schemes?.includes('1') ? 'extracted' : 'verified')
  const ofBest = certificates.filter(({ scheme }) => scheme === `v${truth.schemes?.[0]}`)
  assert.deepEqual(ofBest.map(({ sha256 }) => sha256).sort(), truth.certSha256?.toSorted())
}

function comparesToApple(app: AppInfo, truth: FixtureRow['truth']): void {
  assert.equal(app.bundleIdentifier, truth['bundleId'])
  assert.equal(app.shortVersion, truth['short'])
  assert.equal(app.version, truth['version'])
  assert.equal(app.name, truth['displayName'] ?? truth['bundleName'])
  assert.equal(app.minOsVersion, truth['minOS'])
  assert.deepEqual(app.architectures, truth['archs'])
  assert.equal(app.deviceFamilies.length, truth['family']?.length)
  assert.deepEqual(
    app.nested.map(({ path }) => `${path}/Info.plist`),
    truth['nested'],
  )
  assert.equal(app.icon !== null, (truth['iconPngs'] ?? assert.fail('no icons')).length > 0)
  const wanted = truth['prov'] ?? assert.fail('no profile')
  const profile = app.signing.profile ?? assert.fail('no profile')
  assert.equal(profile.type, wanted.type)
  assert.equal(profile.name, wanted.name)
  assert.equal(profile.uuid, wanted.uuid)
  assert.equal(profile.teamName, wanted.team)
  assert.equal(profile.teamId, wanted.teamId)
  assert.equal(profile.expirationDate, wanted.expires.replace('Z', '.000Z'))
  assert.equal(profile.creationDate, wanted.created.replace('Z', '.000Z'))
  assert.equal(profile.deviceCount, wanted.devices ?? 0)
  assert.equal(profile.appIdentifier, wanted.appId)
  assert.deepEqual(Object.keys(profile.entitlements).sort(), wanted.entKeys.toSorted())
}
