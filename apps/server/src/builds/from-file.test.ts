import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeIpa } from '@fairlead/binary/fixture'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer } from '../testing/start-server.ts'
import { createApk } from '../testing/upload.ts'

describe('an application from a file', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const send = (
    body: Uint8Array<ArrayBuffer> | string,
    options: { token?: string; headers?: Record<string, string> } = {},
  ) => server.call('POST', '/v1/applications/fromFile', { ...options, body })
  const listAliases = async () => {
    const { json } = await server.call('GET', '/v1/applications')
    return json.map(({ alias }: { alias: string }) => alias).toSorted()
  }

  it('has name, alias, platform and identifier of the file, and its build', async () => {
    const apk = await send(createApk({ packageName: 'com.example.pilot', label: 'Pilot (Beta)', versionCode: 3 }))
    assert.equal(apk.status, 201, apk.text)
    assert.deepEqual([apk.json.applicationAlias, apk.json.version, apk.json.number], ['pilot-beta', '3', 1])
    const application = (await server.call('GET', `/v1/applications/${apk.json.applicationId}`)).json
    const { name, platform, bundleIdentifier, buildCount } = application
    assert.deepEqual(
      [name, platform, bundleIdentifier, buildCount],
      ['Pilot (Beta)', 'android', 'com.example.pilot', 1],
    )
    const ipa = await send(new Uint8Array(writeIpa({ name: 'Pilot (Beta)', bundleIdentifier: 'com.example.pilot' })))
    assert.deepEqual([ipa.json.applicationAlias, ipa.json.platform], ['pilot-beta-2', 'ios'])
  })

  it('is not made twice, also when two files of it come at once', async () => {
    const again = await send(createApk({ packageName: 'com.example.pilot', label: 'Other', versionCode: 4 }))
    assert.deepEqual([again.json.applicationAlias, again.json.number], ['pilot-beta', 2])
    const files = [1, 2, 3].map((versionCode) =>
      createApk({ packageName: 'com.example.twin', label: '双子', versionCode }),
    )
    const answers = await Promise.all(files.map((file) => send(file)))
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.applicationAlias]),
      files.map(() => [201, 'com-example-twin']),
    )
    assert.deepEqual(await listAliases(), ['com-example-twin', 'pilot-beta', 'pilot-beta-2'])
  })

  it('is not made of what is no app, nor by somebody who may not create applications', async () => {
    assert.equal((await send('this is no package')).status, 422)
    const ci = await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    assert.equal((await send(createApk({ packageName: 'com.example.new' }), { token: ci.json.token })).status, 403)
    assert.equal((await listAliases()).length, 3)
  })

  it('stays in the workspace of its token', async () => {
    const stranger = await createSecondWorkspace(server)
    const foreign = await send(createApk({ packageName: 'com.example.pilot', label: 'Pilot (Beta)' }), {
      token: stranger,
    })
    assert.deepEqual([foreign.status, foreign.json.applicationAlias, foreign.json.number], [201, 'pilot-beta', 1])
    assert.equal((await server.call('GET', `/v1/builds/${foreign.json.id}`)).status, 404)
  })

  it('is found by a retry with the same key', async () => {
    const headers = { 'Idempotency-Key': 'one' }
    const file = createApk({ packageName: 'com.example.retried', label: 'Retried' })
    const first = await send(file, { headers })
    const second = await send(file, { headers })
    assert.equal(second.json.id, first.json.id)
  })
})
