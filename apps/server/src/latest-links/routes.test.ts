import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, LatestLink } from '@fairlead/contract'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const baseUrl = 'https://builds.example.com'

describe('A latest link', () => {
  let server: TestServer
  let shopId: number
  let iosId: number
  let groups: { id: number; name: string }[]

  before(async () => {
    server = await startServer({ FAIRLEAD_BASE_URL: baseUrl })
    shopId = (await createApplication(server, 'shop')).id
    iosId = (await createApplication(server, 'ios', 'ios')).id
    groups = []
    for (const name of ['Beta', 'Staff']) {
      groups.push((await server.call('POST', '/v1/distributionGroups', { json: { name } })).json)
    }
  })
  after(() => server[Symbol.asyncDispose]())

  const create = async (json: Record<string, unknown>, applicationId = shopId): Promise<LatestLink> => {
    const answer = await server.call('POST', `/v1/applications/${applicationId}/latestLinks`, {
      json: { name: 'Wall', ...json },
    })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const get = async (link: LatestLink): Promise<LatestLink> =>
    (await server.call('GET', `/v1/latestLinks/${link.id}`)).json
  const update = (link: LatestLink, json: unknown) => server.call('PATCH', `/v1/latestLinks/${link.id}`, { json })
  const read = (link: LatestLink, part = '', headers: Record<string, string> = {}) =>
    server.call('GET', new URL(link.url).pathname + part, { token: null, headers: { accept: '*/*', ...headers } })
  const distribute = async (build: Build, name: string) => {
    const json = { distributionGroupNames: [name] }
    assert.equal((await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })).status, 201)
  }
  const served = async (link: LatestLink) => {
    const page = await openInstallPage(server, link.url)
    if (page.status !== 200) return page.status
    const id = Number(/<main data-build-id="(\d+)">/.exec(page.text)?.[1])
    assert.equal((await get(link)).build?.id, id, 'the API says the same')
    assert.equal((await read(link, '/build.json')).json.id, id, 'and so does build.json')
    return id
  }
  const upload = (branch: string, versionCode: number) =>
    uploadApk(server, { alias: 'shop', apk: { versionCode }, headers: { 'X-Service-Branch': branch } })
  const revoke = (build: Build, isRevoked = true) =>
    server.call('PATCH', `/v1/builds/${build.id}/installLink`, { json: { isRevoked } })

  it('shows the highest build that its group has, whatever happens to others', async () => {
    const any = await create({})
    const beta = await create({ distributionGroupId: groups[0]?.id })
    const staff = await create({ distributionGroupId: groups[1]?.id })
    const release = await create({ branch: 'release/1' })
    const nightly = await create({ follows: 'uploaded', branch: 'main' })
    assert.equal(await served(any), 404)
    const first = await upload('main', 1)
    const second = await upload('release/1', 2)
    const third = await upload('main', 3)
    assert.deepEqual([await served(any), await served(nightly)], [404, third.id])
    await distribute(second, 'Beta')
    await distribute(first, 'Staff')
    assert.deepEqual(
      [await served(any), await served(beta), await served(staff), await served(release)],
      [second.id, second.id, first.id, second.id],
    )
    await distribute(third, 'Beta')
    await distribute(first, 'Beta')
    assert.deepEqual([await served(any), await served(beta)], [third.id, third.id], 'an old build moves nothing back')
    await revoke(third)
    assert.deepEqual([await served(any), await served(beta), await served(nightly)], [second.id, second.id, first.id])
    await revoke(third, false)
    assert.equal(await served(beta), third.id)
    await server.call('DELETE', `/v1/builds/${third.id}`)
    assert.equal(await served(beta), second.id)
    await server.call('DELETE', `/v1/builds/${second.id}`)
    await server.call('DELETE', `/v1/builds/${first.id}`)
    assert.deepEqual([await served(beta), await served(staff), await served(nightly)], [404, 404, 404])
    for (const part of ['/build.json', '/binary', '/qr.svg', '/badge.svg']) {
      assert.equal((await read(beta, part)).status, 404, part)
    }
    const empty = await openInstallPage(server, beta.url)
    assert.match(empty.text, /Nothing to install yet/)
  })

  it('shows the page in place, and gives away neither the link of the build nor its secret', async () => {
    const link = await create({ name: 'Place', showsOlder: true })
    const older = await upload('main', 10)
    const build = await upload('main', 11)
    await distribute(older, 'Beta')
    await distribute(build, 'Beta')
    const secret = new URL(build.installUrl).pathname.split('/').at(-1) ?? ''
    const page = await openInstallPage(server, link.url, { agent: 'android' })
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const json = await read(link, '/build.json')
    const { downloadUrl, ...facts } = json.json
    assert.deepEqual(facts, {
      id: build.id,
      platform: 'android',
      bundleIdentifier: build.bundleIdentifier,
      shortVersion: build.shortVersion,
      version: '11',
      uploadedDate: build.uploadedDate,
      size: build.size,
      sha256: build.sha256,
      releaseNotes: null,
      pageUrl: link.url,
      manifestUrl: null,
    })
    assert.equal(json.headers.get('cache-control'), 'no-store')
    const redirect = await read(link, '/binary')
    assert.deepEqual([redirect.status, redirect.headers.get('cache-control')], [302, 'no-store'])
    for (const text of [page.text, json.text, redirect.headers.get('location') ?? '']) {
      assert.ok(!text.includes(secret), 'no secret of the build')
    }
    assert.equal((await server.call('GET', new URL(downloadUrl).pathname, { token: null })).bytes.length, build.size)
    assert.match(page.text, /<h2>Earlier builds<\/h2>/)
    const olderPath = listLinks(page.text).at(-1) ?? ''
    assert.equal((await server.call('GET', olderPath, { token: null })).headers.get('etag'), `"${older.sha256}"`)
    assert.match(page.text, /<meta property="og:title" content="[^"]+11[^"]*" \/>/)
    assert.ok(page.text.includes(`content="${link.url}/icon"`))
    const icon = await read(link, '/icon')
    assert.deepEqual([icon.status, icon.headers.get('cache-control')], [200, 'no-store'])
    assert.doesNotMatch((await openInstallPage(server, (await create({})).url)).text, /Earlier builds/)
  })

  it('installs over the air on iOS by a manifest that dies with the link', async () => {
    const build = await uploadIpa(server, { alias: 'ios' })
    await distribute(build, 'Beta')
    const link = await create({ distributionGroupId: groups[0]?.id }, iosId)
    const page = await openInstallPage(server, link.url, { agent: 'iphone' })
    const installer = listLinks(page.text).find((href) => href.startsWith('itms-services:')) ?? ''
    const path = new URL(new URL(installer).searchParams.get('url') ?? '').pathname
    const headers = { 'User-Agent': userAgents.iosInstaller }
    const manifest = await server.call('GET', path, { token: null, headers })
    assert.equal(manifest.status, 200)
    const file = /<string>https:\/\/builds\.example\.com([^<]+app\.ipa)<\/string>/.exec(manifest.text)?.[1] ?? ''
    assert.equal((await server.call('GET', file, { token: null })).bytes.length, build.size)
    assert.ok((await read(link, '/build.json')).json.manifestUrl.startsWith(`${baseUrl}/install/granted/`))
    await update(link, { isRevoked: true })
    for (const dead of [path, file]) assert.equal((await server.call('GET', dead, { token: null })).status, 410)
  })

  it('takes everything that it gave out along when it ends', async () => {
    const build = await upload('main', 20)
    await distribute(build, 'Beta')
    const ends: [string, (link: LatestLink) => Promise<unknown>, number][] = [
      ['revocation', (link) => update(link, { isRevoked: true }), 410],
      ['a password', (link) => update(link, { password: 'open sesame' }), 401],
      ['another address', (link) => server.call('POST', `/v1/latestLinks/${link.id}/renew`), 404],
      ['deletion', (link) => server.call('DELETE', `/v1/latestLinks/${link.id}`), 404],
      ['expiry', (link) => expireSoon(link), 410],
    ]
    for (const [name, end, status] of ends) {
      const link = await create({ name })
      const download = new URL((await read(link, '/build.json')).json.downloadUrl).pathname
      assert.equal((await server.call('GET', download, { token: null })).status, 200, name)
      await end(link)
      assert.equal((await server.call('GET', download, { token: null })).status, 410, name)
      assert.equal((await read(link, '/build.json')).status, status, name)
      assert.equal((await read(link, '/binary')).status, status, name)
    }
    assert.equal((await openInstallPage(server, build.installUrl)).status, 200, "the build's own link works on")
    const forged = 'a.zzzzzz.1.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA'
    const answer = await server.call('GET', `/install/granted/${forged}/binary/app.apk`, { token: null })
    assert.equal(answer.status, 404)
  })

  const expireSoon = async (link: LatestLink) => {
    const expirationDate = new Date(Date.now() + 300).toISOString()
    assert.equal((await update(link, { expirationDate })).json.expirationDate, expirationDate)
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expirationDate) - Date.now() + 50))
  }

  it('asks for its password on the page, and programs for it in a header', async () => {
    const link = await create({ name: 'Guarded', password: 'open sesame' })
    assert.equal(link.hasPassword, true)
    const asked = await openInstallPage(server, link.url)
    assert.match(asked.text, /type="password"/)
    assert.doesNotMatch(asked.text, /granted|og:|data-build-id/)
    const submit = (password: string) =>
      server.call('POST', new URL(link.url).pathname, {
        token: null,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: new URLSearchParams({ password }).toString(),
      })
    assert.equal((await submit('open barley')).status, 403)
    const right = await submit('open sesame')
    assert.match(right.text, /data-build-id/)
    assert.doesNotMatch(right.text, /og:/)
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`,
    })
    for (const part of ['/build.json', '/binary', '/qr.svg', '/icon']) {
      const refused = await read(link, part)
      assert.equal(refused.status, 401, part)
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic /)
      assert.equal((await read(link, part, basic('wrong'))).status, 401, part)
      assert.ok((await read(link, part, basic('open sesame'))).status < 400, part)
    }
    assert.equal((await read(link, '/badge.svg', basic('open sesame'))).status, 404)
    const statuses: number[] = []
    for (let count = 0; count < 22; count++) {
      statuses.push((await read(link, '/build.json', basic(`guess ${count}`))).status)
    }
    assert.equal(statuses.at(-1), 429)
    await update(link, { password: null })
    assert.equal((await read(link, '/badge.svg')).status, 200)
  })

  it('has a badge and a QR code that caches may keep for a while', async () => {
    const link = await create({ name: 'Readme' })
    for (const part of ['/badge.svg', '/qr.svg']) {
      const answer = await read(link, part)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
      const etag = answer.headers.get('etag') ?? ''
      assert.equal((await read(link, part, { 'if-none-match': etag })).status, 304)
    }
    const { build } = await get(link)
    assert.ok((await read(link, '/badge.svg')).text.includes(`${build?.shortVersion} (${build?.version})`))
  })

  it('counts downloads, but neither previews nor HEAD', async () => {
    const build = await upload('main', 30)
    await distribute(build, 'Beta')
    const link = await create({ name: 'Counted' })
    const path = new URL(link.url).pathname
    for (const part of ['', '/binary', '/build.json']) {
      const head = await server.call('HEAD', path + part, { token: null })
      assert.ok(head.status < 400, `${part} answered ${head.status}`)
    }
    const download = new URL((await read(link, '/build.json')).json.downloadUrl).pathname
    await server.call('HEAD', download, { token: null })
    const count = async () => (await server.call('GET', `/v1/builds/${build.id}`)).json.installCount
    assert.equal(await count(), 0)
    await server.call('GET', download, { token: null })
    assert.equal(await count(), 1)
  })

  it('refuses what it cannot follow', async () => {
    const path = `/v1/applications/${shopId}/latestLinks`
    const post = (json: unknown, token?: string) =>
      server.call('POST', path, { json, ...(token !== undefined && { token }) })
    const unknown = await post({ name: 'x', distributionGroupId: 999_999 })
    assert.deepEqual([unknown.status, unknown.json.errors[0].source], [422, '/distributionGroupId'])
    assert.equal((await post({ name: 'x', distributionGroupId: groups[0]?.id, follows: 'uploaded' })).status, 422)
    for (const json of [{}, { name: '' }, { name: 'x', follows: 'none' }, { name: 'x', branch: '' }]) {
      assert.equal((await post(json)).status, 400, JSON.stringify(json))
    }
    assert.equal((await post({ name: 'x', expirationDate: '2020-01-01T00:00:00Z' })).status, 400)
    const viewer = (await server.call('POST', '/v1/apiTokens', { json: { name: 'v', role: 'viewer' } })).json.token
    assert.equal((await post({ name: 'x' }, viewer)).status, 403)
    assert.equal((await server.call('GET', path, { token: viewer })).status, 200)
    const missing = await server.call('GET', '/v1/latestLinks/999999')
    assert.equal(missing.json.detail, 'The latest link with the given ID does not exist')
    for (const wrong of ['/latest/x', '/latest/AAAAAAAAAAAAAAAAAAAAAA', '/latest/a/b/c']) {
      assert.equal((await server.call('GET', wrong, { token: null })).status, 404, wrong)
    }
  })

  it('ends with its group, and is recorded without its address', async () => {
    const group = (await server.call('POST', '/v1/distributionGroups', { json: { name: 'Short' } })).json
    const link = await create({ name: 'Of a group', distributionGroupId: group.id })
    await update(link, { name: 'Renamed', password: 'harbour wall' })
    await server.call('POST', `/v1/latestLinks/${link.id}/renew`)
    const listed = (await server.call('GET', `/v1/applications/${shopId}/latestLinks`)).json
    assert.equal(listed[0].name, 'Renamed')
    await server.call('DELETE', `/v1/distributionGroups/${group.id}`)
    assert.equal((await server.call('GET', `/v1/latestLinks/${link.id}`)).status, 404)
    const { text, json } = await server.call('GET', '/v1/auditEvents?limit=6')
    const actions = new Set(json.map(({ action }: { action: string }) => action))
    for (const action of ['latestLink.create', 'latestLink.update', 'latestLink.renew']) {
      assert.ok(actions.has(action), action)
    }
    for (const secret of [link.url, link.url.split('/').at(-1) ?? '', 'harbour wall']) {
      assert.ok(!text.includes(secret))
    }
  })

  it('has at most a hundred siblings', async () => {
    const { id } = await createApplication(server, 'many')
    for (let count = 0; count < 100; count++) await create({ name: `Link ${count}` }, id)
    const answer = await server.call('POST', `/v1/applications/${id}/latestLinks`, { json: { name: 'One more' } })
    assert.equal(answer.status, 422)
    const page = await server.call('GET', `/v1/applications/${id}/latestLinks?limit=3`)
    assert.deepEqual([page.json.length, page.headers.get('x-total-count')], [3, '100'])
  })
})
