import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

describe('pipelined requests', async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
  after(() => server[Symbol.asyncDispose]())
  const { hostname, port } = new URL(server.url)

  /** Sends requests in one piece and returns all answers. */
  const pipeline = async (requests: string[]): Promise<string> => {
    const socket = connect({ port: Number(port), host: hostname })
    socket.write(requests.join(''))
    let text = ''
    for await (const piece of socket) {
      text += String(piece)
      if (text.split('HTTP/1.1 ').length > requests.length && /[}\]]$/.test(text)) break
    }
    return text
  }

  it('see the writes before them, although an answer from before is kept', async () => {
    const created = await server.call('POST', '/v1/applications', {
      json: { name: 'Before', alias: 'shop', platform: 'android' },
    })
    const path = `/v1/applications/${created.json.id}`
    const token = `X-Service-Token: ${server.token}`
    const read = `GET ${path} HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`
    for (let round = 0; round < 20; round++) {
      // The second reading is answered from the kept answer of the first.
      await server.call('GET', path)
      await pipeline([read])
      const body = JSON.stringify({ name: `After ${round}` })
      const head = `Host: x\r\n${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
      const answers = await pipeline([`PATCH ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`, read])
      assert.equal(answers.split(`"After ${round}"`).length, 3, answers)
    }
  })

  it('of one connection that search many tests let those of others come between', async () => {
    const { id } = await createApplication(server, 'searched')
    const cases = Array.from({ length: 3000 }, (_, index) => ({ name: `opens page ${index} of the shop` }))
    await uploadReport(server, cases, { alias: 'searched', branch: 'main' })
    const searches = Array.from({ length: 50 }, (_, index) => {
      const path = `/v1/applications/${id}/tests?q=nothing-${index}`
      return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${server.token}\r\n\r\n`
    })
    // The connection of the other client is open already.
    await server.call('GET', '/healthz')
    const ended: string[] = []
    const searching = pipeline(searches).then((answers) => {
      ended.push('searches')
      return answers
    })
    for (let request = 0; request < 3; request++) {
      assert.equal((await server.call('GET', '/healthz')).status, 200)
      ended.push('other')
    }
    const answers = await searching
    assert.equal(answers.split('HTTP/1.1 200').length, searches.length + 1, answers)
    assert.deepEqual(ended, ['other', 'other', 'other', 'searches'])
  })

  it('carry the security headers of a server that is reached by HTTPS', async () => {
    for (const path of ['/healthz', '/v1/applications', '/v1/nothing', '/', '/openapi.json']) {
      const { headers } = await server.call('GET', path)
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })
})
