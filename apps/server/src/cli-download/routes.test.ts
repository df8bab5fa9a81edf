import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { findOfferedCli } from './offered-cli.ts'

describe('the packed command line', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const offered = findOfferedCli() ?? assert.fail('"npm ci" did not pack the command line')

  it('can be downloaded by everyone, and /docs shows its SHA-256', async () => {
    const response = await fetch(`${server.url}/cli/${offered.fileName}`)
    assert.equal(response.status, 200)
    const bytes = Buffer.from(await response.arrayBuffer())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const page = await server.call('GET', '/docs', { token: null })
    assert.match(page.text, new RegExp(`/cli/${offered.fileName}[^]*${sha256}`))
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(response.url, { headers: { 'If-None-Match': etag } })
    assert.equal(again.status, 304)
  })

  it('is refused in a version that the server does not have, with the one that it has', async () => {
    const { status, json } = await server.call('GET', '/cli/fairlead-99.0.0.tgz', { token: null })
    assert.equal(status, 404)
    assert.match(json.detail, new RegExp(`/cli/${offered.fileName}$`))
    assert.equal((await server.call('GET', '/cli/..%2f..%2fpackage.json', { token: null })).status, 404)
  })

  it('is not found, and nothing else fails, where it was not packed', () => {
    assert.equal(findOfferedCli(import.meta.dirname), undefined)
  })
})
