import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startServer } from '../testing/start-server.ts'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
}

describe('the OpenAPI description', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { json: document } = await server.call('GET', '/openapi.json', { token: null })

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    assert.deepEqual(result.errors ?? [], [])
    assert.match(document.openapi, /^3\.1\./)
  })

  it('has every endpoint of the contract with its headers and body', () => {
    const paths = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const operations = new Set(paths)
    for (const operation of [
      'GET /v1/applications',
      'GET /v1/applications/{applicationId}',
      'GET /v1/applications/{applicationId}/builds',
      'GET /v1/builds/{buildId}',
      'POST /v2/builds',
      'PATCH /v2/builds/{buildId}',
      'POST /v1/builds/{buildId}/distribute',
      'DELETE /v1/builds/{buildId}',
      'POST /v2/symbolsFiles',
    ]) {
      assert.ok(operations.has(operation), operation)
    }
    const upload = document.paths['/v2/builds'].post
    const headers = upload.parameters.map((parameter: { name: string }) => parameter.name)
    assert.ok(headers.includes('X-Service-Application-Alias'))
    assert.ok('application/vnd.android.package-archive' in upload.requestBody.content)
    assert.ok('application/octet-stream' in upload.requestBody.content)
  })

  it('names and describes every operation, under a tag that is described', () => {
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name))
    const seen = new Map<string, string>()
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
      for (const [method, { operationId, summary, description, tags: own = [] }] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path}`
        assert.ok(summary, `${name} has no summary in the schema of its route`)
        assert.match(operationId ?? '', /^[a-z]+([A-Z0-9][A-Za-z0-9]*)*$/, name)
        const other = seen.get(operationId ?? '')
        assert.equal(other, undefined, `${name} has the operationId of ${other}: their summaries must differ`)
        seen.set(operationId ?? '', name)
        assert.ok(description, `${name} has no description`)
        assert.equal(own.length, 1, `${name} needs one tag`)
        for (const tag of own) assert.ok(tags.has(tag), `${name}: describe.ts does not describe the tag ${tag}`)
      }
    }
  })

  it('states the statuses of reads and of files as they are', () => {
    const file = document.paths['/v1/builds/{buildId}/binary']
    for (const { responses } of [file.get, file.head]) {
      assert.deepEqual(Object.keys(responses), ['200', '206', '304', '400', '401', '403', '404', '416'])
    }
    const { get } = document.paths['/v1/builds/{buildId}']
    assert.deepEqual(Object.keys(get.responses), ['200', '400', '401', '403', '404'])
    assert.equal(get.operationId, 'getBuild')
  })

  it('has a documentation page that loads nothing from other hosts', async () => {
    const page = await server.call('GET', '/docs/', { token: null })
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /https?:|swagger\.io|upgrade-insecure/)
    const links = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '')
    assert.ok(links.length > 0)
    for (const link of links) assert.doesNotMatch(link, /^(https?:)?\/\//)
  })
})
