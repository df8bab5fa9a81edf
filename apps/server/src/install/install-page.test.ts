import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createSigner } from '@fairlead/binary/fixture'
import type { Build } from '@fairlead/contract'
import { renderMarkdown } from '@fairlead/markdown'
import { openDatabase } from '../db/open.ts'
import { type InstallVisit, listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadApk, uploadBytes, uploadIpa } from '../testing/upload.ts'
import { toJsonText } from '../db/json-text.ts'
import type { BuildDetails } from '../db/schema/build-details.ts'
import { readJson } from '../testing/read-json.ts'

const devices = ['0'.repeat(40), '1'.repeat(40)]
const adHoc = { type: 'ad-hoc', devices } as const

describe('the install page', async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
  after(() => server[Symbol.asyncDispose]())
  const apps = { android: 0, ios: 0 }
  const createApp = async (platform: 'android' | 'ios') => {
    const alias = `${platform}-${++apps[platform]}`
    await createApplication(server, alias, platform)
    return { alias, identifier: `com.example.${platform}${apps[platform]}` }
  }
  const open = async (build: Pick<Build, 'installUrl'>, visit?: InstallVisit) => {
    const answer = await openInstallPage(server, build.installUrl, visit)
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }
  const upload = async (apk: Parameters<typeof uploadApk>[1]['apk'] = {}) => {
    const { alias, identifier } = await createApp('android')
    return uploadApk(server, { alias, apk: { packageName: identifier, ...apk } })
  }
  const uploadToIos = async (ipa: Parameters<typeof uploadIpa>[1]['ipa'] = {}) => {
    const { alias, identifier } = await createApp('ios')
    return uploadIpa(server, { alias, ipa: { bundleIdentifier: identifier, profile: { type: 'enterprise' }, ...ipa } })
  }

  it('shows the app and cannot be cached, framed, indexed or made to run scripts', async () => {
    const build = await upload({ label: 'Acme Shop', versionName: '2.1', versionCode: 40, minSdk: 26, targetSdk: 35 })
    const { text, headers } = await openInstallPage(server, build.installUrl, { language: 'en-GB' })
    assert.match(text, /<h1><bdi>Acme Shop<\/bdi><\/h1>/)
    for (const shown of ['Version 2.1 (40)', 'Android\u00A08.0 or later', '/icon"', '<html lang="en">']) {
      assert.ok(text.includes(shown), shown)
    }
    const until = new Date(build.expirationDate)
    const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(until)
    assert.ok(text.includes(`<time datetime="${build.expirationDate}">${date}</time>`))
    assert.doesNotMatch(text, /<script|\son\w+=|\sstyle=/)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.ok(text.length < 14_000, `${text.length} characters`)
  })

  it('gives an iPhone the installer, Android the APK, and a desktop a QR code and the file', async () => {
    const ios = await uploadToIos()
    const [installer, ...rest] = listLinks(await open(ios, { agent: 'iphone' }))
    assert.deepEqual(rest, [])
    const manifest = /^itms-services:\/\/\?action=download-manifest&url=([^&?/:]+)$/.exec(installer ?? '')?.[1] ?? ''
    assert.match(
      decodeURIComponent(manifest),
      /^https:\/\/builds\.example\.com\/install\/granted\/[\w.-]+\/manifest\.plist$/,
    )

    const android = await upload()
    const links = listLinks(await open(android, { agent: 'android' }))
    assert.equal(links.length, 1)
    assert.match(links[0] ?? '', /^\/install\/granted\/[\w.-]+\/binary\/app\.apk$/)

    const desktop = await open(android, { agent: 'windows' })
    assert.match(desktop, /<svg class="qr"[^>]*aria-label="Scan/)
    assert.match(listLinks(desktop).join(' '), /^\S+\/binary\/app\.apk$/)
  })

  it('offers a Mac both ways, because an iPad identifies itself as a Mac', async () => {
    const page = await open(await uploadToIos(), { agent: 'mac' })
    const [file, installer] = listLinks(page)
    assert.match(file ?? '', /app\.ipa$/)
    assert.match(installer ?? '', /^itms-services:/)
    assert.match(page, /Install on this iPad/)
    assert.doesNotMatch(await open(await upload(), { agent: 'mac' }), /iPad/)
  })

  it('says that a build is for the other platform, and still offers the file', async () => {
    const onIphone = await open(await upload(), { agent: 'iphone' })
    assert.match(onIphone, /This build is for Android/)
    assert.match(listLinks(onIphone)[0] ?? '', /app\.apk$/)
    const onAndroid = await open(await uploadToIos(), { agent: 'android' })
    assert.match(onAndroid, /This build is for iPhone and iPad/)
    assert.match(listLinks(onAndroid)[0] ?? '', /app\.ipa$/)
  })

  it('warns of obstacles in the provisioning profile', async () => {
    assert.doesNotMatch(await open(await uploadToIos()), /class="obstacles"/)
    const profile = (options: object) => uploadToIos({ profile: { type: 'enterprise', ...options } }).then(open)
    assert.match(await profile({ expirationDate: new Date('2024-02-03T00:00:00Z') }), /expired[^]*February 3, 2024/)
    assert.match(await profile({ type: 'app-store' }), /This build is for the App Store/)
    assert.match(await profile(adHoc), /Only for registered devices[^]*allows 2 devices/)
    assert.match(await profile({ type: 'development', devices: devices.slice(1) }), /allows 1 device\./)
    assert.match(await open(await uploadToIos({ profile: null })), /This build is not signed/)
  })

  it("compares the device's system version with the required one", async () => {
    const ios = await uploadToIos({ minOsVersion: '18.0' })
    assert.match(await open(ios, { agent: 'iphone' }), /requires iOS\u00A018\.0[^]*runs iOS\u00A017\.4\.1/)
    const newer = await uploadToIos({ minOsVersion: '26.0' })
    for (const agent of ['iphoneFrozen', 'chromeOnIphone', 'mac'] as const) {
      assert.doesNotMatch(await open(newer, { agent }), /class="certain"/, agent)
    }
    assert.doesNotMatch(
      await open(await uploadToIos({ minOsVersion: '17.4.1' }), { agent: 'iphone' }),
      /class="certain"/,
    )

    const android = await upload({ minSdk: 33, targetSdk: 35 })
    assert.match(await open(android, { agent: 'android' }), /requires Android\u00A013[^]*runs Android\u00A012/)
    assert.doesNotMatch(await open(android, { agent: 'androidReduced' }), /class="certain"/)
    const hint = (version: string) =>
      open(android, { agent: 'androidReduced', headers: { 'Sec-CH-UA-Platform-Version': `"${version}"` } })
    assert.match(await hint('12.0.0'), /requires Android\u00A013/)
    assert.doesNotMatch(await hint('13.0.0'), /class="certain"/)
  })

  it('warns that Android 14 refuses apps made for Android 5, except on older devices', async () => {
    const build = await upload({ minSdk: 14, targetSdk: 22 })
    assert.match(await open(build, { agent: 'androidReduced' }), /Made for a very old Android/)
    assert.doesNotMatch(await open(build, { agent: 'android' }), /Made for a very old Android/)
  })

  it('warns that Android 15 refuses apps made for Android 6.0, which Android 14 takes', async () => {
    const build = await upload({ minSdk: 21, targetSdk: 23 })
    const on = (version: string) =>
      open(build, { agent: 'androidReduced', headers: { 'Sec-CH-UA-Platform-Version': `"${version}"` } })
    assert.match(await on('15.0.0'), /Android 15 and later refuse apps made for Android 6\.0 or older/)
    assert.doesNotMatch(await on('14.0.0'), /Made for a very old Android/)
    const older = await upload({ minSdk: 21, targetSdk: 22 })
    const inGerman = await open(older, { agent: 'androidReduced', headers: { 'Accept-Language': 'de' } })
    assert.match(inGerman, /Android 14 und neuer lehnen Apps ab, die für Android 5\.1/)
    const newer = await open(await upload({ minSdk: 21, targetSdk: 24 }), { agent: 'androidReduced' })
    assert.doesNotMatch(newer, /Made for a very old Android/)
  })

  it('warns that an APK is test-only or a split, on every device that could install it', async () => {
    const forTests = await upload({ testOnly: true })
    for (const agent of ['android', 'androidReduced', 'windows'] as const) {
      assert.match(await open(forTests, { agent }), /class="certain"><strong>Made for tests on a cable/)
    }
    assert.doesNotMatch(await open(forTests, { agent: 'iphone' }), /cable/)
    assert.match(await open(await upload({ split: 'config.de' }), { agent: 'android' }), /Only a part of the app/)
    assert.doesNotMatch(await open(await upload(), { agent: 'android' }), /cable|part of the app/)
  })

  it('names the Apple devices an app is for, when this device is not one of them', async () => {
    const madeFor = (...families: number[]) => uploadToIos({ info: { UIDeviceFamily: families } })
    const onlyIpad = await madeFor(2)
    assert.match(await open(onlyIpad, { agent: 'iphone' }), /class="certain"><strong>This build is for iPad</)
    assert.doesNotMatch(await open(onlyIpad, { agent: 'ipad' }), /class="certain"/)
    assert.doesNotMatch(await open(onlyIpad, { agent: 'mac' }), /class="certain"/)
    // An iPad runs iPhone apps.
    assert.doesNotMatch(await open(await madeFor(1), { agent: 'ipad' }), /class="certain"/)
    assert.doesNotMatch(await open(await madeFor(1, 2), { agent: 'iphone' }), /class="certain"/)
    const other = await madeFor(3, 7)
    assert.match(await open(other, { agent: 'ipad' }), /This build is for Apple TV, Apple Vision</)
    assert.match(await open(other, { agent: 'iphone' }), /This build is for Apple TV, Apple Vision</)
  })

  it('warns of a build for the simulator', async () => {
    const build = await uploadToIos({
      info: { CFBundleSupportedPlatforms: ['iPhoneSimulator'], DTPlatformName: 'iphonesimulator' },
    })
    assert.match(await open(build, { agent: 'iphone' }), /Built for the simulator/)
  })

  it('warns of an APK that is unsigned or was modified after signing', async () => {
    assert.match(await open(await upload({ schemes: [] })), /This build is not signed/)
    const { alias, identifier } = await createApp('android')
    const bytes = createApk({
      packageName: identifier,
      files: [{ name: 'note', data: Buffer.from('as it was signed') }],
    })
    const at = Buffer.from(bytes).indexOf('as it was signed')
    bytes.set(Buffer.from('and then altered'), at)
    assert.match(await open(await uploadBytes(server, bytes, { alias })), /The signature is broken/)
  })

  it('warns that Android 11 refuses APKs with only a v1 signature that target Android 11', async () => {
    const build = await upload({ minSdk: 21, targetSdk: 30 })
    assert.doesNotMatch(await open(build), /class="obstacles"/)
    const { db } = await openDatabase(server)
    const { details } = await db
      .selectFrom('builds')
      .select('details')
      .where('id', '=', build.id)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('builds')
      .set({ details: toJsonText(readJson<BuildDetails>(details.replaceAll('"scheme":"v2"', '"scheme":"v1"'))) })
      .where('id', '=', build.id)
      .execute()
    await db.destroy()
    assert.match(await open(build), /Signed in the old way only/)
  })

  it('warns when Android will not replace an earlier distributed build with this one', async () => {
    const { alias, identifier } = await createApp('android')
    const release = createSigner({ commonName: 'Acme' })
    const put = (versionCode: number, commonName: string | null, versionName = `1.${versionCode}`) =>
      uploadApk(server, {
        alias,
        apk: {
          packageName: identifier,
          versionCode,
          versionName,
          signers: [commonName === null ? release : createSigner({ commonName })],
        },
      })
    const first = await put(10, null)
    const lower = await put(9, null)
    assert.doesNotMatch(await open(lower), /higher version/, 'nobody has the other build yet')
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Testers of downgrades' } })
    await server.call('POST', `/v1/builds/${first.id}/distribute`, {
      json: { distributionGroupIds: [group.json.id] },
    })
    const page = await open(lower, { agent: 'android' })
    assert.match(page, /A higher version was given out before[^]*version 1\.10 \(10\)/)
    assert.match(page, /<a class="action" /, 'the button stays as it is')
    assert.doesNotMatch(await open(await put(100, null)), /class="obstacles"/)
    assert.match(await open(await put(101, 'Android Debug')), /Signed with a debug key[^]*Version 1\.10 \(10\)/)
    assert.match(await open(await put(102, 'Somebody')), /Signed with another key/)
  })

  it('warns in in-app browsers, which cannot install', async () => {
    const build = await uploadToIos()
    assert.match(await open(build, { agent: 'insideAppOnIphone' }), /open the link in Safari/)
    assert.doesNotMatch(await open(build, { agent: 'chromeOnIphone' }), /open the link in/)
  })

  it("uses the browser's language, or English when it is not supported", async () => {
    const build = await uploadToIos({ profile: adHoc })
    for (const [header, lang, word] of [
      ['de-AT,en;q=0.5', 'de', 'Nur für registrierte Geräte'],
      ['fr-CA', 'fr', 'Réservé aux appareils enregistrés'],
      ['pt-BR,es;q=0.8,en;q=0.9', 'en', 'Only for registered devices'],
      ['pt-BR,es;q=0.8', 'es', 'Solo para dispositivos registrados'],
      ['ja', 'ja', '登録済みデバイス専用です'],
      ['zh-TW', 'en', 'Only for registered devices'],
      ['zh-Hant-HK, ja', 'ja', '登録済みデバイス専用です'],
      ['zh', 'zh-Hans', '仅限已注册的设备'],
      ['tlh,*;q=0.1', 'en', 'Only for registered devices'],
      ['de;q=0,;;,,, x-y-z!!,"', 'en', 'Only for registered devices'],
    ] as const) {
      const page = await open(build, { language: header })
      assert.ok(page.includes(`<html lang="${lang}">`), header)
      assert.ok(page.includes(word), `${header}: ${word}`)
    }
  })

  it('shows hostile names and versions as plain text, truncated', async () => {
    const hostile = 'A & B <script>alert(1)</script> "\'\u202Efdp.\u200F\u0007\u0000'
    const page = await open(await upload({ label: hostile, versionName: '<img src=x onerror=alert(1)>' }))
    assert.doesNotMatch(page, /<script|<img src=x|(?!\n)\p{Cc}|\p{Bidi_Control}/u)
    assert.ok(page.includes('A &amp; B &lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;'))
    const long = await open(await upload({ label: 'N'.repeat(10_000), versionName: '9'.repeat(10_000) }))
    assert.ok(long.length < 15_000, `${long.length} characters`)
  })

  it('renders release notes as Markdown without HTML, images or script links', async () => {
    const build = await upload()
    const releaseNotes = [
      '# Title\n\n**bold** https://example.com/a',
      '<script>alert(1)</script> <img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](itms-services://x) [d](/v1/applications) [e](vbscript:x)',
      '![seen](https://evil.example/pixel.png) [mail](mailto:a@example.com)',
    ].join('\n\n')
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes } })
    const page = await open(build)
    const notes = /<section class="notes">([^]*?)<\/section>/.exec(page)?.[1] ?? ''
    assert.match(notes, /<h3>Title<\/h3>\s*<p><strong>bold<\/strong>/)
    assert.match(notes, /<a href="https:\/\/example\.com\/a" target="_blank" rel="noopener noreferrer nofollow">/)
    assert.deepEqual(listLinks(notes), [
      'https://example.com/a',
      'https://evil.example/pixel.png',
      'mailto:a@example.com',
    ])
    assert.doesNotMatch(notes, /<script|<img/)
    assert.ok(notes.includes('seen'))
  })

  it('warns of what the API warns of, and the API of what the page shows', async () => {
    const day = 24 * 60 * 60_000
    const cases = [
      { build: await upload(), count: 0, isInstallable: true },
      { build: await upload({ targetSdk: 22, minSdk: 16 }), count: 1, isInstallable: true },
      { build: await uploadToIos(), count: 0, isInstallable: true },
      { build: await uploadToIos({ profile: adHoc }), count: 0, isInstallable: true },
      { build: await uploadToIos({ profile: { type: 'app-store' } }), count: 1, isInstallable: false },
      {
        build: await uploadToIos({ profile: { type: 'app-store', expirationDate: new Date(Date.now() - day) } }),
        count: 2,
        isInstallable: false,
      },
      { build: await uploadToIos({ profile: null }), count: 1, isInstallable: false },
    ]
    for (const { build, count, isInstallable } of cases) {
      const page = await open(build)
      const shown = [...page.matchAll(/<li class="(?:certain|possible)"><strong>(.*?)<\/strong> (.*?)<\/li>/g)]
        .map(([, title, text]) => `${title}. ${text}`)
        .filter((text) => !text.startsWith('Only for registered devices'))
      const { json } = await server.call('GET', `/v1/builds/${build.id}`)
      assert.deepEqual(json.warnings.slice(0, shown.length), shown)
      assert.equal(shown.length, count, json.warnings.join('; '))
      assert.equal(json.isInstallable, isInstallable)
      assert.deepEqual(build.warnings, json.warnings)
    }
  })

  it('renders the same HTML as the preview of the dashboard', async () => {
    const build = await upload()
    const releaseNotes = 'one\ntwo List<String>\n\n- [x] done\n\n```\ncode\n```'
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes } })
    const page = await open(build)
    assert.ok(page.includes(renderMarkdown(releaseNotes)))
  })

  it('is 410 without a button once the link has expired, and 404 when the build is deleted', async () => {
    const build = await upload({ label: 'Old Shop' })
    const { db } = await openDatabase(server)
    await db
      .updateTable('builds')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', build.id)
      .execute()
    await db.destroy()
    const expired = await openInstallPage(server, build.installUrl, { agent: 'android', language: 'de' })
    assert.equal(expired.status, 410)
    assert.match(expired.text, /<html lang="de">[^]*Dieser Link ist abgelaufen[^]*Old Shop/)
    assert.deepEqual(listLinks(expired.text), [])
    const other = await upload()
    await server.call('DELETE', `/v1/builds/${other.id}`)
    const gone = await openInstallPage(server, other.installUrl)
    assert.equal(gone.status, 404)
    assert.match(gone.text, /Nothing to install here/)
  })

  it('reports errors to browsers as a page and to other clients as the error object', async () => {
    for (const path of ['AAAAAAAAAAAAAAAAAAAAAA', 'a%00b', 'x'.repeat(500), 'a/b/c/d', "';--"]) {
      const page = await openInstallPage(server, `${server.url}/install/${path}`)
      assert.equal(page.status, 404, path)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const answer = await server.call('GET', `/install/${path}`, { token: null })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.title, 'Not Found')
    }
  })
})

describe('the install page of a server that phones cannot reach or trust', async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: 'http://localhost:8080' })
  after(() => server[Symbol.asyncDispose]())

  it('warns before the button is tapped', async () => {
    await createApplication(server, 'ios', 'ios')
    const build = await uploadIpa(server, { alias: 'ios' })
    const { text } = await openInstallPage(server, build.installUrl, { agent: 'iphone' })
    assert.match(text, /iOS installs over HTTPS only/)
    assert.match(text, /Phones cannot reach this server/)
    assert.match(listLinks(text)[0] ?? '', /^itms-services:/, 'the button stays')
  })
})
