import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build } from '@fairlead/contract'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const day = 24 * 60 * 60 * 1000

describe('An install link', () => {
  let server: TestServer
  let build: Build

  before(async () => {
    server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
    await createApplication(server, 'shop')
    await createApplication(server, 'ios', 'ios')
    build = await uploadApk(server, { alias: 'shop' })
  })
  after(() => server[Symbol.asyncDispose]())

  const update = (json: unknown, id = build.id) => server.call('PATCH', `/v1/builds/${id}/installLink`, { json })
  const findDownload = async () => listLinks((await openInstallPage(server, build.installUrl)).text)[0] ?? ''
  const submit = (installUrl: string, password: string, agent: keyof typeof userAgents = 'windows') =>
    server.call('POST', new URL(installUrl).pathname, {
      token: null,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'text/html',
        'User-Agent': userAgents[agent],
      },
      body: new URLSearchParams({ password }).toString(),
    })

  it('can be extended', async () => {
    const expirationDate = new Date(Date.now() + 200 * day).toISOString()
    const answer = await update({ expirationDate })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json, {
      installUrl: build.installUrl,
      expirationDate,
      isRevoked: false,
      hasPassword: false,
    })
    assert.equal((await server.call('GET', `/v1/builds/${build.id}`)).json.expirationDate, expirationDate)
    assert.deepEqual((await server.call('GET', `/v1/builds/${build.id}/installLink`)).json, answer.json)
    for (const wrong of ['2020-01-01T00:00:00Z', new Date(Date.now() + 4000 * day).toISOString(), 'tomorrow']) {
      assert.equal((await update({ expirationDate: wrong })).status, 400, wrong)
    }
  })

  it('can be revoked, which also ends downloads that it allowed, and restored', async () => {
    const download = await findDownload()
    assert.equal((await server.call('GET', download, { token: null })).status, 200)
    assert.equal((await update({ isRevoked: true })).json.isRevoked, true)
    const page = await openInstallPage(server, build.installUrl)
    assert.equal(page.status, 410)
    assert.match(page.text, /withdrawn/)
    assert.equal((await server.call('GET', download, { token: null })).status, 410)
    assert.equal((await server.call('GET', `/v1/builds/${build.id}/binary`)).status, 200, 'not for members')
    await update({ isRevoked: false })
    assert.equal((await openInstallPage(server, build.installUrl)).status, 200)
  })

  it('can ask for a password before it shows what to install', async () => {
    const download = await findDownload()
    assert.equal((await update({ password: 'open sesame' })).json.hasPassword, true)
    assert.equal((await server.call('GET', download, { token: null })).status, 404, 'earlier downloads end')
    const asked = await openInstallPage(server, build.installUrl)
    assert.equal(asked.status, 200)
    assert.match(asked.text, /type="password"/)
    assert.match(asked.headers.get('content-security-policy') ?? '', /form-action 'self'/)
    assert.deepEqual(listLinks(asked.text), [])
    assert.doesNotMatch(asked.text, /granted/)
    const wrong = await submit(build.installUrl, 'open barley')
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /That password is wrong/)
    const right = await submit(build.installUrl, 'open sesame')
    assert.equal(right.status, 200)
    const [granted = ''] = listLinks(right.text)
    assert.equal((await server.call('GET', granted, { token: null })).status, 200)
    assert.equal((await server.call('POST', new URL(build.installUrl).pathname, { token: null, json: {} })).status, 400)
    await update({ password: null })
    assert.match(await findDownload(), /granted/)
  })

  it('works for the iOS installer, which sends no cookies, when it has a password', async () => {
    const ipa = await uploadIpa(server, { alias: 'ios' })
    await update({ password: 'open sesame' }, ipa.id)
    const page = await submit(ipa.installUrl, 'open sesame', 'iphone')
    const [installer = ''] = listLinks(page.text)
    const manifest = await server.call('GET', new URL(new URL(installer).searchParams.get('url') ?? '').pathname, {
      token: null,
      headers: { 'User-Agent': userAgents.iosInstaller },
    })
    assert.equal(manifest.status, 200)
    const file = /<string>https:\/\/builds\.example\.com([^<]+app\.ipa)<\/string>/.exec(manifest.text)?.[1] ?? ''
    assert.equal((await server.call('GET', file, { token: null })).bytes.length, ipa.size)
  })

  it('limits guesses of its password', async () => {
    const guarded = await uploadApk(server, { alias: 'shop', apk: { versionCode: 5 } })
    await update({ password: 'open sesame' }, guarded.id)
    const statuses: number[] = []
    for (let count = 0; count < 22; count++) statuses.push((await submit(guarded.installUrl, 'guess')).status)
    assert.equal(statuses.filter((status) => status === 403).length, 20)
    assert.equal(statuses.at(-1), 429)
  })

  it('cannot be changed by viewers', async () => {
    const { token } = (await server.call('POST', '/v1/apiTokens', { json: { name: 'v', role: 'viewer' } })).json
    const path = `/v1/builds/${build.id}/installLink`
    assert.equal((await server.call('PATCH', path, { token, json: {} })).status, 403)
    assert.equal((await server.call('GET', path, { token })).status, 200)
  })
})
