import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type AppInfo, type AppReader, BinaryError, createAppReader, parsePlist, readApp } from '../src/index.ts'
import { readIcon, toPortableImage } from '../src/read-icon.ts'
import { fixturesFolder, listFixtures } from './fixtures.ts'

const skip = fixturesFolder === undefined && 'the folder of hostile builds is not there'
const folder = join(fixturesFolder ?? '', 'malicious')
const apks = listFixtures().filter(({ file }) => /^malicious\/[^/]+\.apk$/.test(file))
const list = (pattern: string) => globSync(pattern, { cwd: folder }).map((file) => join(folder, file))

/** Returns the result or the BinaryError; any other error is rethrown. */
async function settle<T>(read: () => T | Promise<T>): Promise<T | BinaryError> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BinaryError) return error
    throw error
  }
}

describe('hostile builds', { skip }, () => {
  let reader: AppReader
  before(() => {
    reader = createAppReader({ maxMemoryMb: 64, timeoutMs: 5000 })
  })
  after(() => reader[Symbol.asyncDispose]())

  for (const { file, path, truth } of apks) {
    const isAccepted = JSON.stringify(truth['aapt10'] ?? '').startsWith('"dev.example.tiny')
    test(`${file} ${isAccepted ? 'is read, as Android installs it' : 'is read or refused'}`, async () => {
      const result = await settle(() => reader.readApp(path, { verify: true }))
      assert.deepEqual(summarize(result), summarize(await settle(() => readApp(path, { verify: true }))))
      if (!(result instanceof BinaryError)) {
        assert.deepEqual(
          [result.bundleIdentifier, result.version, result.shortVersion],
          ['dev.example.tiny', '7', '1.2 beta'],
        )
        const { icon } = result
        if (icon) await settle(() => readIcon(path, icon))
      } else {
        assert.ok(!isAccepted, result.message)
        assert.ok(!['timeout', 'out-of-memory', 'crashed'].includes(result.code), result.message)
      }
    })
  }

  for (const path of list('ipa/*')) {
    test(`${basename(path)} is read or refused`, async () => {
      const result = await settle(() => reader.readApp(path))
      assert.deepEqual(summarize(result), summarize(await settle(() => readApp(path))))
    })
  }

  for (const path of list('plist/*')) {
    test(`${basename(path)} is parsed or refused`, async () => {
      const value = await settle(() => parsePlist(readFileSync(path)))
      if (value instanceof BinaryError) return
      // The value stays small when written out as a tree, which shows that shared objects are limited.
      const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))
      assert.ok(text.length < 1_000_000)
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
    })
  }

  for (const path of list('png/*')) {
    test(`${basename(path)} becomes a portable image or is refused`, async () => {
      const image = await settle(() => toPortableImage(readFileSync(path)))
      if (!(image instanceof BinaryError)) assert.ok(image.bytes.length < 100_000)
    })
  }

  test('refuses files that two readers would read differently', async () => {
    const refusalOf = async (name: string) => {
      const result = await settle(() => readApp(join(folder, name)))
      return result instanceof BinaryError ? result.code : 'read'
    }
    assert.equal(await refusalOf('z11-duplicate-manifest-evil-last.apk'), 'ambiguous')
    assert.equal(await refusalOf('z11b-duplicate-manifest-evil-first.apk'), 'ambiguous')
    assert.equal(await refusalOf('ipa/i04-two-apps.ipa'), 'ambiguous')
    assert.equal(await refusalOf('z13-lfh-name-differs.apk'), 'malformed-zip')
    assert.equal(await refusalOf('z15-bomb-manifest-1g-honest.apk'), 'too-large')
    assert.equal(await refusalOf('z16-bomb-manifest-understated.apk'), 'malformed-zip')
    assert.equal(await refusalOf('ipa/i13-bundleid-injection.ipa'), 'invalid-identifier')
  })

  test('uses the profile of the app even if that of its watch app comes first', async () => {
    const { signing } = await readApp(join(folder, 'ipa', 'i03-watch-profile-first.ipa'))
    assert.ok(signing.profile)
    assert.doesNotMatch(signing.profile.name ?? '', /watch/i)
  })
})

function summarize(result: AppInfo | BinaryError): unknown {
  return result instanceof BinaryError ? { code: result.code, message: result.message } : result
}
