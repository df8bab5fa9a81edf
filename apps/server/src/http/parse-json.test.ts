import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadApk, uploadBytes } from '../testing/upload.ts'

describe('the body of a request', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })

  it('is accepted as an upload whatever its content type', async () => {
    for (const type of ['garbage', 'text/', '/', 'application/json', 'a;b;c', '*/*']) {
      await uploadBytes(server, createApk(), { alias: 'shop', headers: { 'Content-Type': type } })
    }
  })

  it('is accepted as a crash report whatever its content type', async () => {
    for (const type of ['garbage', 'application/json', 'application/x-www-form-urlencoded']) {
      const answer = await server.call('POST', `/v1/applications/${build.applicationId}/symbolicate`, {
        headers: { 'Content-Type': type },
        body: 'java.lang.IllegalStateException: boom',
      })
      assert.equal(answer.status, 200, `${type}: ${answer.text}`)
    }
  })

  it('clears the release notes when it is empty, whatever its content type', async () => {
    const path = `/v2/builds/${build.id}`
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      await server.call('PATCH', path, { json: { releaseNotes: 'Notes' } })
      const answer = await server.call('PATCH', path, { headers: { 'Content-Type': type }, body: '' })
      assert.equal(answer.status, 200, `${type}: ${answer.text}`)
      assert.equal(answer.json.releaseNotes, null)
    }
  })

  it('is refused when JSON is expected and the content type is another', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'garbage']) {
      const answer = await server.call('PATCH', `/v2/builds/${build.id}`, {
        headers: { 'Content-Type': type },
        body: '{"releaseNotes": "Notes"}',
      })
      assert.equal(answer.status, 415, type)
    }
  })

  it('is refused when it is invalid UTF-8, instead of being decoded with replacement characters', async () => {
    const answer = await server.call('PATCH', `/v2/builds/${build.id}`, {
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from('{"releaseNotes": "caf\xe9"}', 'latin1'),
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.json.detail, 'The request body is not valid JSON')
  })
})
