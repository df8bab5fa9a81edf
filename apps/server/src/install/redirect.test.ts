import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { parsePlist } from '@fairlead/binary'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadBytes, uploadIpa } from '../testing/upload.ts'

const { FAIRLEAD_TEST_STORAGE_URL: storage } = process.env

describe('downloads from an object store', { skip: storage === undefined && 'there is no S3 server' }, async () => {
  if (storage === undefined) return
  const baseUrl = 'https://builds.example.com'
  const server = await startServer({ FAIRLEAD_DOWNLOADS: 'redirect', FAIRLEAD_BASE_URL: baseUrl })
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  await createApplication(server, 'lantern', 'ios')
  const bytes = createApk({ files: [{ name: 'filling', data: Buffer.alloc(4000, 7) }] })
  const apk = await uploadBytes(server, bytes, { alias: 'shop' })

  it('are answered with a URL of the store that expires, has the right type and name, and serves ranges', async () => {
    const page = await openInstallPage(server, apk.installUrl, { agent: 'android' })
    const answer = await server.call('GET', listLinks(page.text)[0] ?? '', { token: null })
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const location = answer.headers.get('location') ?? ''
    assert.match(location, /X-Amz-Expires=21600/)
    const whole = await fetch(location)
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), Buffer.from(bytes))
    assert.equal(whole.headers.get('content-type'), 'application/vnd.android.package-archive')
    assert.match(whole.headers.get('content-disposition') ?? '', /filename=/)
    const part = await fetch(location, { headers: { range: 'bytes=100-199' } })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), Buffer.from(bytes.subarray(100, 200)))
  })

  it('are answered with a URL of the store for an iOS app too, whose manifest names the address', async () => {
    const ipa = await uploadIpa(server, { alias: 'lantern', ipa: { bundleIdentifier: 'com.example.lantern' } })
    const page = await openInstallPage(server, ipa.installUrl, { agent: 'iphone' })
    const link = listLinks(page.text).find((href) => href.startsWith('itms-services:')) ?? ''
    const manifestUrl = new URL(new URL(link).searchParams.get('url') ?? '')
    const manifest = await server.call('GET', manifestUrl.pathname, { token: null })
    const [, packageUrl = ''] = /<string>(https:[^<]*\/binary\/[^<]*)<\/string>/.exec(manifest.text) ?? []
    assert.ok(parsePlist(manifest.bytes))
    const answer = await server.call('GET', new URL(packageUrl).pathname, { token: null })
    assert.equal(answer.status, 302)
    const sent = await fetch(answer.headers.get('location') ?? '')
    assert.equal(Number(sent.headers.get('content-length')), ipa.size)
  })

  it('are sent by the server to a client with a token, unless it asks for the redirect', async () => {
    const path = `/v1/builds/${apk.id}/binary`
    const direct = await server.call('GET', path)
    assert.equal(direct.status, 200)
    assert.deepEqual(direct.bytes, Buffer.from(bytes))
    assert.equal((await server.call('GET', `${path}?redirect=true`)).status, 302)
    assert.equal(
      (await server.call('HEAD', `${path}?redirect=true`)).headers.get('content-length'),
      String(bytes.length),
    )
    assert.equal((await server.call('GET', path, { token: null })).status, 401)
  })
})
