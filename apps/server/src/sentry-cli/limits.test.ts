import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createCrashApplication } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const toSha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex')

describe('the limits of sentry-cli', async () => {
  const server = await startServer({
    FAIRLEAD_WORKSPACE_MAX_BYTES: '5000000',
    FAIRLEAD_MAX_UPLOAD_BYTES: '30000000',
  })
  after(() => server[Symbol.asyncDispose]())
  await createCrashApplication(server, 'ledger')
  const headers = { Authorization: `Bearer ${server.token}` }

  const sendChunk = (chunk: Buffer) => {
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${toSha1(chunk)}"\r\n\r\n`
    return server.call('POST', '/api/0/organizations/any/chunk-upload/', {
      token: null,
      headers: { ...headers, 'Content-Type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([Buffer.from(part), chunk, Buffer.from('\r\n--b--\r\n')]),
    })
  }
  const assemble = (files: object) =>
    server.call('POST', '/api/0/projects/any/ledger/files/difs/assemble/', {
      token: null,
      headers,
      body: JSON.stringify(files),
    })

  it('count chunks against the quota of the workspace before they are stored', async () => {
    assert.equal((await sendChunk(Buffer.alloc(2_000_000, 'a'))).status, 200)
    assert.equal((await sendChunk(Buffer.alloc(2_000_000, 'b'))).status, 200)
    const refused = await sendChunk(Buffer.alloc(2_000_000, 'c'))
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.json.detail, /quota/)
    assert.equal((await server.listBlobs()).length, 2)
  })

  it('sum the chunks of a file against the limits before a byte is copied', async () => {
    const chunk = toSha1(Buffer.alloc(2_000_000, 'a'))
    const sum = async (count: number) => {
      const sha1 = toSha1(Buffer.from(`file ${count}`))
      const { json } = await assemble({ [sha1]: { name: '/proguard/x.txt', chunks: Array(count).fill(chunk) } })
      return json[sha1]
    }
    const overLimit = await sum(1000)
    assert.equal(overLimit.state, 'error')
    assert.match(overLimit.detail, /over the limit/)
    const overQuota = await sum(10)
    assert.equal(overQuota.state, 'error')
    assert.match(overQuota.detail, /quota/)
  })

  it('bound how many chunks a request names', async () => {
    const names = Array.from({ length: 4000 }, (_, index) => toSha1(Buffer.from(`chunk ${index}`)))
    const files = Object.fromEntries(
      [0, 1, 2, 3, 4, 5].map((index) => [toSha1(Buffer.from(`file ${index}`)), { name: '', chunks: names }]),
    )
    const refused = await assemble(files)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /20000 chunks/)
  })

  it('leave an assembled file in the audit log, and a question about missing chunks out', async () => {
    const mapping = Buffer.from('# compiler: R8\norg.tarn.Failure -> a.b:\n')
    const file = { name: '/proguard/5db7294d-87fc-5726-a5c0-4a90679657a5.txt', chunks: [toSha1(mapping)] }
    const readEvents = async () => {
      const { json } = await server.call('GET', '/v1/auditEvents?action=symbolsFile.upload')
      const events: { action: string }[] = json
      return events
    }
    await assemble({ [toSha1(mapping)]: file })
    assert.deepEqual(await readEvents(), [])
    assert.equal((await sendChunk(mapping)).status, 200)
    const { json } = await assemble({ [toSha1(mapping)]: file })
    assert.equal(json[toSha1(mapping)].state, 'ok', json[toSha1(mapping)].detail)
    assert.equal((await readEvents()).length, 1)
  })
})
