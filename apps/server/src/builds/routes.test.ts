import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Branch, Build } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import { insertBuild } from './write-store.ts'

describe('builds', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const application = await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Alpha' } })
  const other = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })

  const patch = (body: string | null, contentType: string | null = 'application/json') =>
    server.call('PATCH', `/v2/builds/${build.id}`, {
      headers: contentType === null ? {} : { 'Content-Type': contentType },
      ...(body !== null && { body }),
    })
  const distribute = (json: unknown) => server.call('POST', `/v1/builds/${build.id}/distribute`, { json })
  const groupsOf = async (id: number) =>
    (await server.call('GET', `/v1/builds/${id}`)).json.distributionGroups.map((one: { name: string }) => one.name)

  it("answer 404 with the contract's message for an unknown id, before the body is read", async () => {
    const attempts = [
      { method: 'GET', path: '/v1/builds/{id}' },
      { method: 'PATCH', path: '/v2/builds/{id}', body: '{' },
      { method: 'POST', path: '/v1/builds/{id}/distribute', body: '[]' },
      { method: 'DELETE', path: '/v1/builds/{id}' },
      { method: 'GET', path: '/v1/builds/{id}/binary' },
    ]
    for (const { method, path, ...rest } of attempts) {
      for (const id of ['999999', '0', '-5', 'abc', '1.0', '9'.repeat(30), '%20', '%F0%9F%92%A9']) {
        const answer = await server.call(method, path.replace('{id}', id), {
          headers: { 'Content-Type': 'application/json' },
          ...rest,
        })
        assert.equal(answer.status, 404, `${method} ${path} ${id}`)
        assert.equal(answer.json.title, 'Not found')
        assert.equal(answer.json.detail, 'Build with the given ID does not exist')
      }
    }
  })

  it('accept release notes, and clear them for null, a missing field and an empty body', async () => {
    for (const clearing of ['{"releaseNotes":null}', '{}', 'null', '']) {
      const set = await patch('{"releaseNotes":"# New\\n\\n* tästed <b>"}')
      assert.equal(set.status, 200)
      assert.equal(set.json.releaseNotes, '# New\n\n* tästed <b>')
      assert.deepEqual(Build.parse(set.json), set.json)
      const cleared = await patch(clearing)
      assert.equal(cleared.status, 200, clearing)
      assert.equal(cleared.json.releaseNotes, null)
    }
    await patch('{"releaseNotes":"again"}')
    const without = await patch(null, null)
    assert.equal(without.status, 200)
    assert.equal(without.json.releaseNotes, null)
  })

  it('refuse release notes that are not text, too long or not valid JSON', async () => {
    for (const body of [
      '{"releaseNotes":5}',
      '{"releaseNotes":["x"]}',
      '[]',
      '"text"',
      '17',
      '{"releaseNotes":"\\u0000"}',
    ]) {
      const answer = await patch(body)
      assert.equal(answer.status, 400, body)
      assert.ok(answer.json.errors.length > 0)
    }
    assert.equal((await patch(JSON.stringify({ releaseNotes: 'x'.repeat(65_536) }))).status, 200)
    assert.equal((await patch(JSON.stringify({ releaseNotes: 'x'.repeat(65_537) }))).status, 400)
    assert.equal((await patch('{"releaseNotes":')).status, 400)
    assert.equal((await patch(JSON.stringify({ releaseNotes: 'x'.repeat(2_000_000) }))).status, 413)
    assert.equal((await patch('releaseNotes=x', 'application/x-www-form-urlencoded')).status, 415)
  })

  it('are distributed by case-insensitive name or by id, and ids take precedence', async () => {
    const byName = await distribute({ distributionGroupNames: ['ALPHA'] })
    assert.equal(byName.status, 201)
    assert.equal(byName.bytes.length, 0)
    assert.deepEqual(await groupsOf(build.id), ['Alpha'])
    const both = await distribute({ distributionGroupIds: [other.json.id], distributionGroupNames: ['No such group'] })
    assert.equal(both.status, 201)
    assert.deepEqual(await groupsOf(build.id), ['Alpha', 'Beta'])
    assert.equal((await distribute({ distributionGroupIds: [other.json.id, group.json.id] })).status, 201)
    assert.deepEqual(await groupsOf(build.id), ['Alpha', 'Beta'])
  })

  it('are not distributed once their install link has expired', async () => {
    const old = await uploadApk(server, { alias: 'shop' })
    const { db } = await openDatabase(server)
    await db
      .updateTable('builds')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', old.id)
      .execute()
    await db.destroy()
    const path = `/v1/builds/${old.id}/distribute`
    const answer = await server.call('POST', path, { json: { distributionGroupNames: ['Alpha'] } })
    assert.equal(answer.status, 409)
    assert.match(answer.json.detail, /expired/)
  })

  it('list their branches, the one built last first', async () => {
    const { id } = await createApplication(server, 'branches')
    const apk = { packageName: 'com.example.branches' }
    for (const branch of ['main', 'feature/a', 'feature/b', 'main', 'Feature_x']) {
      await uploadApk(server, { alias: 'branches', apk, headers: { 'X-Service-Branch': branch } })
    }
    await uploadApk(server, { alias: 'branches', apk })
    const { json, status } = await server.call('GET', `/v1/applications/${id}/branches`)
    assert.equal(status, 200)
    assert.deepEqual(
      json.map(({ name, buildCount }: Branch) => [name, buildCount]),
      [
        ['Feature_x', 1],
        ['main', 2],
        ['feature/b', 1],
        ['feature/a', 1],
      ],
    )
    assert.ok(json[1].latestBuildId > json[2].latestBuildId)
    const found = async (prefix: string) => {
      const answer = await server.call('GET', `/v1/applications/${id}/builds?limit=10&branchPrefix=${prefix}`)
      assert.equal(answer.headers.get('x-total-count'), String(answer.json.length))
      return answer.json.map(({ source }: Build) => source?.branch)
    }
    assert.deepEqual(await found('feature/'), ['feature/b', 'feature/a'])
    assert.deepEqual(await found('ma'), ['main', 'main'])
    assert.deepEqual(await found('feature_'), [])
    assert.deepEqual(await found('%25'), [])
    assert.equal((await server.call('GET', '/v1/applications/999/branches')).status, 404)
  })

  it('are distributed by names when the list of ids is empty', async () => {
    const fresh = await uploadApk(server, { alias: 'shop' })
    const answer = await server.call('POST', `/v1/builds/${fresh.id}/distribute`, {
      json: { distributionGroupIds: [], distributionGroupNames: ['Beta'] },
    })
    assert.equal(answer.status, 201)
    assert.deepEqual(await groupsOf(fresh.id), ['Beta'])
  })

  it('are not distributed to any group when one of them is unknown, and the error names it', async () => {
    const fresh = await uploadApk(server, { alias: 'shop' })
    const path = `/v1/builds/${fresh.id}/distribute`
    const names = await server.call('POST', path, { json: { distributionGroupNames: ['Alpha', 'Gamma'] } })
    assert.equal(names.status, 422)
    assert.match(names.json.detail, /Gamma/)
    assert.equal(names.json.errors[0].source, '/distributionGroupNames/1')
    const ids = await server.call('POST', path, { json: { distributionGroupIds: [group.json.id, 999_999] } })
    assert.equal(ids.status, 422)
    assert.match(ids.json.detail, /999999/)
    assert.deepEqual(await groupsOf(fresh.id), [])
  })

  it('cannot be distributed without a group or with groups of the wrong type', async () => {
    for (const json of [{}, { distributionGroupNames: [] }, { distributionGroupIds: [], distributionGroupNames: [] }]) {
      assert.equal((await distribute(json)).status, 400)
    }
    for (const json of [
      { distributionGroupNames: 'Alpha' },
      { distributionGroupIds: ['1'] },
      { distributionGroupIds: [1.5] },
      { distributionGroupNames: ['Alpha'], notifyTesters: 'yes' },
      [],
      'Alpha',
      null,
    ]) {
      assert.equal((await distribute(json)).status, 400, JSON.stringify(json))
    }
  })

  it('are listed newest first and can be filtered by group, version, branch and search text', async () => {
    const { json: app } = await server.call('POST', '/v1/applications', {
      json: { name: 'List', alias: 'list', platform: 'android' },
    })
    const ids: number[] = []
    for (const versionCode of [1, 2, 3]) {
      const { id } = await uploadApk(server, {
        alias: 'list',
        apk: { packageName: 'com.example.list', versionCode, versionName: `1.${versionCode}` },
        headers: { 'X-Service-Branch': versionCode === 2 ? 'feature/50%_off' : 'main' },
      })
      ids.unshift(id)
    }
    const [third, second, first] = ids
    await server.call('POST', `/v1/builds/${second}/distribute`, { json: { distributionGroupNames: ['Alpha'] } })
    const list = async (query: string) => {
      const answer = await server.call('GET', `/v1/applications/${app.id}/builds?${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.map((one: { id: number }) => one.id)
    }
    assert.deepEqual(await list(''), [third, second, first])
    assert.deepEqual(await list('distributionGroupName=alpha'), [second])
    assert.deepEqual(await list('distributionGroupName=nobody'), [])
    assert.deepEqual(await list('version=3'), [third])
    assert.deepEqual(await list('shortVersion=1.1'), [first])
    assert.deepEqual(await list('branch=main'), [third, first])
    assert.deepEqual(await list('q=50%25_OFF'), [second])
    assert.deepEqual(await list('q=%25'), [second])
    assert.deepEqual(await list('q=%232'), [second])
    assert.deepEqual(await list('q=%232&branch=main'), [])
    assert.deepEqual(await list('q=%2322'), [])
    assert.deepEqual(await list('limit=2'), [third, second])
    assert.deepEqual(await list(`limit=2&cursor=${second}`), [first])
    assert.equal(
      (await server.call('GET', `/v1/applications/${app.id}/builds?limit=2`)).headers.get('x-total-count'),
      '3',
    )
    // SQLite finds nothing and PostgreSQL refuses the character; neither may be a 500.
    assert.ok([200, 400].includes((await server.call('GET', `/v1/applications/${app.id}/builds?q=%00`)).status))
    assert.equal((await server.call('GET', '/v1/applications/999999/builds')).status, 404)
    assert.equal((await server.call('GET', '/v1/applications/999999/builds?limit=zero')).status, 404)
    assert.equal((await server.call('GET', `/v1/applications/${app.id}/builds?limit=zero`)).status, 400)
  })

  it('report unknown groups in an answer of limited size', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `${index} ${'x'.repeat(900)}`)
    const answer = await server.call('POST', `/v1/builds/${build.id}/distribute`, {
      json: { distributionGroupNames: names },
    })
    assert.equal(answer.status, 422)
    assert.match(answer.json.errors[0].detail, /^There is no distribution group "0 x{198}"…$/)
    assert.ok(answer.text.length < 50_000, `${answer.text.length}`)
  })

  it('are found by search text in any script, regardless of case', async () => {
    const app = await createApplication(server, 'words')
    const { id } = await uploadApk(server, { alias: 'words', apk: { packageName: 'com.example.words' } })
    await server.call('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: 'Ärger behoben, 修正済み, МОСКВА' } })
    for (const q of ['Ärger', 'ärger', 'ÄRGER', 'behoben, 修正', 'москва', 'МОСКВА']) {
      const { json } = await server.call('GET', `/v1/applications/${app.id}/builds?q=${encodeURIComponent(q)}`)
      assert.equal(json.length, 1, q)
    }
  })

  it('are searched beyond the first slice, page by page, together with other filters', async () => {
    const app = await createApplication(server, 'many')
    const apk = { packageName: 'com.example.many' }
    const first = await uploadApk(server, { alias: 'many', apk: { ...apk, versionName: 'Needle' } })
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    await using _close = { [Symbol.asyncDispose]: () => db.destroy() }
    const row = await db.selectFrom('builds').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
    const { id: _id, ...values } = row
    await db.transaction().execute(async (trx) => {
      for (let index = 0; index < 1100; index++) {
        const source_branch = index % 2 === 0 ? 'even' : 'odd'
        const id = await insertBuild(trx, { ...values, secret: `many-${index}`, source_branch })
        if (index % 100 !== 0)
          await trx.updateTable('build_search').set({ text: '' }).where('build_id', '=', id).execute()
      }
    })
    const list = async (query: string) => {
      const answer = await server.call('GET', `/v1/applications/${app.id}/builds?q=needle&${query}`)
      assert.equal(answer.status, 200, answer.text)
      const ids = answer.json.map(({ id }: { id: number }) => id)
      return { ids, total: answer.headers.get('x-total-count') }
    }
    const all = await list('')
    assert.equal(all.ids.length, 12)
    assert.equal(all.ids.at(-1), first.id)
    const page = await list('limit=5')
    assert.deepEqual(page, { ids: all.ids.slice(0, 5), total: '12' })
    assert.deepEqual((await list(`limit=20&cursor=${page.ids.at(-1)}`)).ids, all.ids.slice(5))
    assert.deepEqual((await list('branch=odd')).ids, [])
    assert.equal((await list('branch=even&limit=3')).total, '11')
  })

  it('are listed in their current state when the same page is requested repeatedly', async () => {
    const { id } = await uploadApk(server, { alias: 'shop' })
    const first = async () => {
      const { json } = await server.call('GET', `/v1/applications/${application.id}/builds?limit=1`)
      const again = await server.call('GET', `/v1/applications/${application.id}/builds?limit=1`)
      assert.deepEqual(again.json, json)
      assert.equal(again.headers.get('x-total-count'), String((await listAll()).length))
      return json[0]
    }
    const listAll = async () => (await server.call('GET', `/v1/applications/${application.id}/builds`)).json
    assert.equal((await first()).releaseNotes, null)
    await server.call('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: 'noted' } })
    assert.equal((await first()).releaseNotes, 'noted')
    await server.call('POST', `/v1/builds/${id}/distribute`, { json: { distributionGroupNames: ['Alpha'] } })
    assert.equal((await first()).distributionGroups[0].name, 'Alpha')

    const expiresAt = Date.now() + 300
    const { db } = await openDatabase(server)
    await db.updateTable('builds').set({ expires_at: expiresAt }).where('id', '=', id).execute()
    await db.destroy()
    // A write by another program becomes visible after the server's own next write.
    await server.call('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: 'about to expire' } })
    await first()
    await setTimeout(expiresAt - Date.now() + 1)
    assert.equal((await first()).isExpired, true)

    await server.call('DELETE', `/v1/builds/${id}`)
    assert.notEqual((await first()).id, id)
  })

  it('are sent with Cache-Control: no-cache and nosniff', async () => {
    const paths = ['/v1/applications', `/v1/builds/${build.id}`, `/v1/applications/${application.id}/builds`]
    for (const path of [...paths, `/v1/builds/${build.id}/binary`]) {
      const { headers } = await server.call('GET', path)
      assert.equal(headers.get('cache-control'), 'private, no-cache', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })

  it('can be deleted once, and then appear nowhere', async () => {
    const { id, installUrl } = await uploadApk(server, { alias: 'shop' })
    const gone = await server.call('DELETE', `/v1/builds/${id}`)
    assert.equal(gone.status, 204)
    assert.equal(gone.bytes.length, 0)
    assert.equal((await server.call('DELETE', `/v1/builds/${id}`)).status, 404)
    assert.equal((await server.call('GET', `/v1/builds/${id}`)).status, 404)
    assert.equal((await fetch(installUrl)).status, 404)
  })

  it('serve exact byte ranges of their binary', async () => {
    const path = `/v1/builds/${build.id}/binary`
    const whole = await server.call('GET', path)
    assert.equal(whole.headers.get('etag'), `"${build.sha256}"`)
    assert.equal(whole.headers.get('content-type'), 'application/vnd.android.package-archive')
    const size = whole.bytes.length
    const range = (value: string, headers: Record<string, string> = {}) =>
      server.call('GET', path, { headers: { Range: value, ...headers } })
    for (const [value, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=${size - 3}-`, size - 3, size - 1],
      [`bytes=5-${size + 100}`, 5, size - 1],
    ] as const) {
      const part = await range(value)
      assert.equal(part.status, 206, value)
      assert.equal(part.headers.get('content-range'), `bytes ${start}-${end}/${size}`)
      assert.ok(part.bytes.equals(whole.bytes.subarray(start, end + 1)), value)
    }
    const outside = await range(`bytes=${size}-`)
    assert.equal(outside.status, 416)
    assert.equal(outside.headers.get('content-range'), `bytes */${size}`)
    for (const value of ['bytes=1-0', 'lines=1-2', 'bytes=a-b', 'bytes=0-1,5-6']) {
      assert.ok([200, 416].includes((await range(value)).status), value)
    }
    assert.equal((await range('bytes=0-0', { 'If-Range': '"other"' })).status, 200)
    assert.equal((await server.call('GET', path, { headers: { 'If-None-Match': `"${build.sha256}"` } })).status, 304)
    const head = await server.call('HEAD', path)
    assert.equal(head.headers.get('content-length'), String(size))
    assert.equal(head.bytes.length, 0)
  })

  it('update the count and the newest build of their application', async () => {
    const { json } = await server.call('GET', `/v1/applications/${application.id}`)
    const list = await server.call('GET', `/v1/applications/${application.id}/builds`)
    assert.equal(json.buildCount, list.json.length)
    assert.equal(json.latestBuild.id, list.json[0].id)
  })
})
