import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parsePlist } from '@fairlead/binary'
import type { Build } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadBytes, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'
import { createGrant, type GrantedBuild } from './grant.ts'
import { openSigningKey } from '../secrets/signing-key.ts'
import { toPersonalUrl } from '../tester-links/personal-link.ts'
import { z } from 'zod'

const baseUrl = 'https://builds.example.com'

describe('The downloads of the install page', async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: baseUrl })
  after(() => server[Symbol.asyncDispose]())

  const bytes = createApk({ files: [{ name: 'filling', data: Buffer.alloc(4000, 7) }] })
  const size = bytes.length
  let apk: Build
  let apkPath: string

  const findPath = async (build: Pick<Build, 'installUrl'>) => {
    const page = await openInstallPage(server, build.installUrl, { agent: 'windows' })
    return listLinks(page.text)[0] ?? ''
  }
  const fetchAs = (method: string, path: string, headers: Record<string, string> = {}) =>
    server.call(method, path, { token: null, headers: { 'Accept-Encoding': 'identity', ...headers } })
  const countOf = async ({ id }: Build) => {
    const { json } = await server.call('GET', `/v1/builds/${id}`)
    const build: Build = json
    return build.installCount
  }
  const useDatabase = async <Result>(use: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<Result>) => {
    const { db } = await openDatabase(server)
    try {
      return await use(db)
    } finally {
      await db.destroy()
    }
  }

  before(async () => {
    await createApplication(server, 'android')
    await createApplication(server, 'ios', 'ios')
    apk = await uploadBytes(server, bytes, {
      alias: 'android',
      headers: { 'Content-Disposition': `attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22%3Cb%3E%22.apk` },
    })
    apkPath = await findPath(apk)
  })

  describe('the APK', () => {
    it('is sent in full with type, length, name and digest', async () => {
      const answer = await fetchAs('GET', apkPath)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.bytes, Buffer.from(bytes))
      const header = (name: string) => answer.headers.get(name)
      assert.equal(header('content-type'), 'application/vnd.android.package-archive')
      assert.equal(header('content-length'), String(size))
      assert.equal(header('etag'), `"${apk.sha256}"`)
      assert.equal(header('accept-ranges'), 'bytes')
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.match(
        header('content-disposition') ?? '',
        /^attachment; filename=".*"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%20b.apk$/,
      )
    })

    it('answers HEAD with the headers of GET and no body, ignoring any Range', async () => {
      for (const headers of [{}, { Range: 'bytes=0-9' }, { Range: `bytes=${size}-` }]) {
        const answer = await fetchAs('HEAD', apkPath, headers)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-length'), String(size))
        assert.equal(answer.headers.get('content-type'), 'application/vnd.android.package-archive')
        assert.equal(answer.bytes.length, 0)
      }
    })

    it('is sent by byte range', async () => {
      for (const [range, start, end] of [
        ['bytes=0-99', 0, 99],
        ['bytes=100-', 100, size - 1],
        ['bytes=-50', size - 50, size - 1],
        [`bytes=10-${size * 2}`, 10, size - 1],
      ] as const) {
        const answer = await fetchAs('GET', apkPath, { Range: range })
        assert.equal(answer.status, 206, range)
        assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${size}`)
        assert.equal(answer.headers.get('content-length'), String(end - start + 1))
        assert.deepEqual(answer.bytes, Buffer.from(bytes.subarray(start, end + 1)))
      }
    })

    it('is sent in full for a malformed range, several ranges or an If-Range of another version', async () => {
      for (const headers of [
        { Range: 'bytes=nonsense' },
        { Range: 'pages=1-2' },
        { Range: 'bytes=0-1,5-6' },
        { Range: 'bytes=0-1', 'If-Range': '"another"' },
      ]) {
        const answer = await fetchAs('GET', apkPath, headers)
        assert.equal(answer.status, 200, JSON.stringify(headers))
        assert.equal(answer.bytes.length, size)
      }
      const same = await fetchAs('GET', apkPath, { Range: 'bytes=0-1', 'If-Range': `"${apk.sha256}"` })
      assert.equal(same.status, 206)
    })

    it("is 416 beyond its end, and 304 when the client's copy is current", async () => {
      const beyond = await fetchAs('GET', apkPath, { Range: `bytes=${size}-` })
      assert.equal(beyond.status, 416)
      assert.equal(beyond.headers.get('content-range'), `bytes */${size}`)
      assert.equal(beyond.json.httpStatus, 416)
      for (const tag of [`"${apk.sha256}"`, `W/"${apk.sha256}"`, `"x", "${apk.sha256}"`, '*']) {
        const known = await fetchAs('GET', apkPath, { 'If-None-Match': tag })
        assert.equal(known.status, 304, tag)
        assert.equal(known.bytes.length, 0)
        assert.equal(known.headers.get('etag'), `"${apk.sha256}"`)
      }
    })

    it('is counted once per download, however it is fetched', async () => {
      const before = await countOf(apk)
      await fetchAs('HEAD', apkPath)
      await fetchAs('GET', apkPath, { Range: 'bytes=0-1' })
      await fetchAs('GET', apkPath, { 'If-None-Match': `"${apk.sha256}"` })
      await fetchAs('GET', apkPath, { Range: `bytes=${size}-` })
      assert.equal(await countOf(apk), before, 'a look is no download')
      await fetchAs('GET', apkPath, { Range: 'bytes=0-1999' })
      await fetchAs('GET', apkPath, { Range: 'bytes=2000-' })
      assert.equal(await countOf(apk), before + 1, 'in parts')
      await fetchAs('GET', apkPath)
      assert.equal(await countOf(apk), before + 2, 'as a whole')
    })

    it('counts as an install on its own platform and a download elsewhere, for a personal link’s tester', async () => {
      const testerId = await useDatabase(async (db) => {
        const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
        const tester = { workspace_id: workspace.id, email: 'a@example.com', email_key: 'a@example.com', created_at: 1 }
        return (await db.insertInto('testers').values(tester).returning('id').executeTakeFirstOrThrow()).id
      })
      const key = await useDatabase(openSigningKey)
      const secret = apk.installUrl.split('/').at(-1) ?? ''
      const personal = toPersonalUrl({ secret }, { id: testerId, link_salt: null }, baseUrl, key)
      await countOf(apk)
      await useDatabase((db) => db.deleteFrom('installs').execute())
      const ofTester = await findPath({ installUrl: personal })
      await fetchAs('GET', ofTester, { 'User-Agent': userAgents.android })
      await fetchAs('GET', ofTester, { 'User-Agent': userAgents.windows })
      const forged = await findPath({ installUrl: personal.replace(/\/for\/[^.]+/, '/for/zz') })
      await fetchAs('GET', forged, { 'User-Agent': userAgents.iphone })
      await countOf(apk)
      const rows = await useDatabase((db) =>
        db.selectFrom('installs').select(['kind', 'tester_id']).orderBy('id').execute(),
      )
      assert.deepEqual(
        rows.map(({ kind, tester_id }) => ({ kind, tester_id })),
        [
          { kind: 'install', tester_id: testerId },
          { kind: 'download', tester_id: testerId },
          { kind: 'download', tester_id: null },
        ],
      )
    })

    it('has a personal QR code on a personal page', async () => {
      const key = await useDatabase(openSigningKey)
      const secret = apk.installUrl.split('/').at(-1) ?? ''
      const qrOf = async (installUrl: string) =>
        /<svg class="qr"[^]*<\/svg>/.exec((await openInstallPage(server, installUrl)).text)?.[0]
      const personal = toPersonalUrl({ secret }, { id: 1, link_salt: null }, baseUrl, key)
      assert.notEqual(await qrOf(personal), await qrOf(apk.installUrl))
      assert.equal(await qrOf(`${personal}x`), await qrOf(apk.installUrl))
    })
  })

  it('is 410 for a grant that has expired, and 404 for one that is forged or belongs to another build', async () => {
    const key = await useDatabase(openSigningKey)
    const secret = apk.installUrl.split('/').at(-1) ?? ''
    const granted: GrantedBuild = { id: apk.id, secret, link_password_hash: null }
    const grant = (of: GrantedBuild, expiresAt: number) => createGrant(key, of, { expiresAt, testerId: null })
    const hour = 3_600_000
    const pathOf = (text: string) => `/install/granted/${text}/binary/app.apk`
    const good = grant(granted, Date.now() + hour)
    assert.equal((await fetchAs('GET', pathOf(good))).status, 200)
    const expired = await fetchAs('GET', pathOf(grant(granted, Date.now() - 1000)))
    assert.equal(expired.status, 410)
    assert.equal(expired.json.title, 'Gone')
    const page = await openInstallPage(server, `${baseUrl}${pathOf(grant(granted, Date.now() - 1000))}`)
    assert.equal(page.status, 410)
    assert.match(page.headers.get('cache-control') ?? '', /no-store/)
    assert.ok(!page.text.includes(secret), 'the page does not give the install link away')
    for (const text of [
      grant({ ...granted, secret: 'A'.repeat(22) }, Date.now() + hour),
      grant({ ...granted, link_password_hash: 'another' }, Date.now() + hour),
      grant({ ...granted, id: apk.id + 1000 }, Date.now() + hour),
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      good.replace(/\.\w+/, '.zzzzzz'),
      'nothing',
    ]) {
      assert.equal((await fetchAs('GET', pathOf(text))).status, 404, text)
    }
  })

  it('has addresses that do not contain the secret of the link and cannot renew themselves', async () => {
    const ipa = await uploadIpa(server, { alias: 'ios', ipa: { bundleIdentifier: 'com.example.Shop', version: '77' } })
    const secret = ipa.installUrl.split('/').at(-1) ?? ''
    const [installer = ''] = listLinks((await openInstallPage(server, ipa.installUrl, { agent: 'iphone' })).text)
    assert.ok(!decodeURIComponent(installer).includes(secret))
    const manifest = new URL(new URL(installer).searchParams.get('url') ?? '').pathname
    const grant = manifest.split('/').at(-2) ?? ''
    const { text } = await fetchAs('GET', manifest)
    assert.ok(!text.includes(secret))
    assert.ok(text.includes(`/install/granted/${grant}/binary/app.ipa`), 'the same grant with the same expiry')
    assert.equal((await fetchAs('GET', `/install/${secret}/${grant}/manifest.plist`)).status, 404)
  })

  it('is a manifest that iOS accepts, whose addresses need no cookie', async () => {
    const ipa = await uploadIpa(server, {
      alias: 'ios',
      ipa: { bundleIdentifier: 'com.example.Shop', name: 'A & B <c>\u202E "d"', shortVersion: '2.1', version: '40' },
    })
    const [installer = ''] = listLinks((await openInstallPage(server, ipa.installUrl, { agent: 'iphone' })).text)
    const manifestUrl = new URL(new URL(installer).searchParams.get('url') ?? '')
    assert.equal(manifestUrl.origin, baseUrl)
    assert.equal(manifestUrl.search, '')
    const answer = await fetchAs('GET', manifestUrl.pathname)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /xml/)
    assert.equal(answer.headers.get('content-length'), String(answer.bytes.length))
    const head = await fetchAs('HEAD', manifestUrl.pathname)
    assert.equal(head.headers.get('content-length'), String(answer.bytes.length))

    const { items } = z
      .object({
        items: z.array(
          z.object({ assets: z.array(z.object({ kind: z.string(), url: z.string() })), metadata: z.looseObject({}) }),
        ),
      })
      .parse(parsePlist(answer.bytes))
    assert.equal(items.length, 1)
    assert.deepEqual(
      { ...items[0]?.metadata },
      {
        'bundle-identifier': 'com.example.Shop',
        'bundle-version': '2.1',
        kind: 'software',
        title: 'A & B <c> "d"',
      },
    )
    const [software, icon] = items[0]?.assets ?? []
    assert.equal(software?.kind, 'software-package')
    assert.equal(icon?.kind, 'display-image')
    const before = await countOf(ipa)
    const file = await fetchAs('GET', new URL(software?.url ?? '').pathname, { 'User-Agent': userAgents.iosInstaller })
    assert.equal(file.status, 200)
    assert.equal(file.headers.get('content-type'), 'application/octet-stream')
    assert.equal(file.bytes.length, ipa.size)
    assert.equal(await countOf(ipa), before + 1)
    const image = await fetchAs('GET', new URL(icon?.url ?? '').pathname)
    assert.equal(image.headers.get('content-type'), 'image/png')
    assert.match(image.headers.get('content-security-policy') ?? '', /sandbox/)
  })

  it('is not a manifest for Android, and is gone once the link has expired', async () => {
    const manifest = await fetchAs('GET', apkPath.replace(/binary\/.*/, 'manifest.plist'))
    assert.equal(manifest.status, 404)
    const other = await uploadBytes(server, bytes, { alias: 'android' })
    const path = await findPath(other)
    await useDatabase((db) =>
      db
        .updateTable('builds')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '=', other.id)
        .execute(),
    )
    const answer = await fetchAs('GET', path)
    assert.equal(answer.status, 410)
    assert.equal(answer.json.detail, 'This install link has expired')
  })

  it('has a file name that is valid on every system, whatever the upload was called', async () => {
    for (const [given, saved] of [
      ['../../etc/passwd', 'passwd.apk'],
      ['a%00b%0D%0Ac.zip', 'abc.zip.apk'],
      ['%E2%80%AEkpa.exe', 'kpa.exe.apk'],
      ['.apk', 'app.apk'],
      ['%F0%9F%98%80'.repeat(200), `${'😀'.repeat(60)}.apk`],
    ] as const) {
      const build = await uploadBytes(server, bytes, {
        alias: 'android',
        headers: { 'Content-Disposition': `attachment; filename*=UTF-8''${given.replaceAll('/', '%2F')}` },
      })
      const answer = await fetchAs('HEAD', await findPath(build))
      const header = answer.headers.get('content-disposition') ?? ''
      const name = /filename\*=UTF-8''(\S+)$/.exec(header)?.[1] ?? /filename="?([^"]+)"?/.exec(header)?.[1] ?? ''
      assert.equal(decodeURIComponent(name), saved, given)
    }
  })
})
