import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Application } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

describe('applications', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const create = (json: unknown) => server.call('POST', '/v1/applications', { json })

  it('can be created, listed newest first and read by id', async () => {
    const first = await create({ name: 'Shop', alias: 'shop-ios', platform: 'ios' })
    assert.equal(first.status, 201)
    assert.deepEqual(Application.parse(first.json), first.json)
    const { createdDate, ...rest }: Application = first.json
    assert.match(createdDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      id: rest.id,
      alias: 'shop-ios',
      defaultBranch: 'main',
      commitUrl: null,
      name: 'Shop',
      platform: 'ios',
      bundleIdentifier: null,
      iconUrl: null,
      linkedApplicationId: null,
      keepsCustomData: false,
      buildCount: 0,
      latestBuild: null,
    })
    const second = await create({
      name: 'Shop',
      alias: 'shop-android',
      platform: 'android',
      bundleIdentifier: 'com.shop',
    })
    const list = await server.call('GET', '/v1/applications')
    assert.equal(list.status, 200)
    assert.deepEqual(list.json, [second.json, first.json])
    const one = await server.call('GET', `/v1/applications/${rest.id}`)
    assert.deepEqual(one.json, first.json)
  })

  it("answer 404 with the contract's message for any unknown or malformed id", async () => {
    for (const id of ['999999', '0', '-1', '1.5', 'shop', '99999999999999999999', '%00', '1e3']) {
      const answer = await server.call('GET', `/v1/applications/${id}`)
      assert.equal(answer.status, 404, id)
      assert.deepEqual(Object.keys(answer.json), ['id', 'httpStatus', 'title', 'detail'])
      assert.equal(answer.json.httpStatus, 404)
      assert.equal(answer.json.title, 'Not Found')
      assert.equal(answer.json.detail, 'The application with the given ID does not exist')
    }
  })

  it('must have a unique alias, and a unique pair of platform and bundle identifier, per workspace', async () => {
    await create({ name: 'A', alias: 'taken', platform: 'ios', bundleIdentifier: 'com.taken' })
    const alias = await create({ name: 'B', alias: 'taken', platform: 'ios' })
    assert.equal(alias.status, 409)
    assert.match(alias.json.detail, /alias/)
    const identifier = await create({ name: 'B', alias: 'other', platform: 'ios', bundleIdentifier: 'com.taken' })
    assert.equal(identifier.status, 409)
    assert.match(identifier.json.detail, /bundle identifier/)
    const otherPlatform = await create({
      name: 'B',
      alias: 'other',
      platform: 'android',
      bundleIdentifier: 'com.taken',
    })
    assert.equal(otherPlatform.status, 201)
  })

  it('report every invalid field of a request', async () => {
    const answer = await create({ name: ' ', alias: 'No Good', platform: 'symbian' })
    assert.equal(answer.status, 400)
    const sources = answer.json.errors.map((fault: { source: string }) => fault.source)
    assert.deepEqual(sources.sort(), ['/alias', '/name', '/platform'])
  })

  it('can be changed, and deleted once', async () => {
    const { json } = await create({ name: 'Old', alias: 'changing', platform: 'ios' })
    const changed = await server.call('PATCH', `/v1/applications/${json.id}`, {
      json: { name: 'New', alias: 'changed', bundleIdentifier: 'com.changed' },
    })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.json, { ...json, name: 'New', alias: 'changed', bundleIdentifier: 'com.changed' })
    assert.equal((await server.call('DELETE', `/v1/applications/${json.id}`)).status, 204)
    assert.equal((await server.call('DELETE', `/v1/applications/${json.id}`)).status, 404)
  })

  it('release the bytes of their builds and symbols when deleted, except bytes that others have too', async () => {
    for (const alias of ['first-shop', 'second-shop']) {
      await create({ name: alias, alias, platform: 'android' })
      const headers = {
        'X-Service-Application-Alias': alias,
        'X-Service-Package': 'com.example.shop',
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': '1',
      }
      const body = 'com.example.Shop -> a.a:\n    1:1:void open():10:10 -> a\n'
      const symbols = await server.call('POST', '/v2/symbolsFiles', { headers, body })
      assert.equal(symbols.status, 201, symbols.text)
    }
    await uploadApk(server, { alias: 'first-shop', apk: { packageName: 'com.first' } })
    await uploadApk(server, { alias: 'first-shop', apk: { packageName: 'com.first' } })
    await uploadApk(server, { alias: 'second-shop', apk: { packageName: 'com.second' } })
    const countBlobs = async () => (await server.listBlobs()).length
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
    const countReferences = async () => {
      const rows = await db.selectFrom('blobs').select('reference_count').orderBy('reference_count').execute()
      return rows.map((row) => row.reference_count)
    }
    const { json: all } = await server.call('GET', '/v1/applications')
    const remove = async (alias: string) => {
      const { id } = all.find((application: { alias: string }) => application.alias === alias)
      assert.equal((await server.call('DELETE', `/v1/applications/${id}`)).status, 204)
    }
    // The blobs are two binaries, one of them uploaded twice; one icon of three builds; one mapping of two files; and
    // two indexes.
    assert.deepEqual(await countReferences(), [1, 1, 1, 2, 2, 3])
    const before = await countBlobs()
    await remove('first-shop')
    assert.deepEqual(await countReferences(), [1, 1, 1, 1])
    assert.equal(await countBlobs(), before - 2)
    await remove('second-shop')
    assert.deepEqual(await countReferences(), [])
  })

  it('are paged with a limit and a cursor, with the total count', async () => {
    const all = await server.call('GET', '/v1/applications')
    const seen: unknown[] = []
    let path: string | undefined = '/v1/applications?limit=2'
    while (path !== undefined) {
      const page = await server.call('GET', path)
      assert.equal(page.headers.get('x-total-count'), String(all.json.length))
      assert.ok(page.json.length <= 2)
      seen.push(...page.json)
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
    }
    assert.deepEqual(seen, all.json)
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=2&cursor=zzz']) {
      assert.equal((await server.call('GET', `/v1/applications?${query}`)).status, 400, query)
    }
  })
})
