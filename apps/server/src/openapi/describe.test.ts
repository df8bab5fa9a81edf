import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { startServer } from '../testing/start-server.ts'
import { missingExample } from './examples.ts'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
}

interface DescribedOperation {
  parameters?: { name: string; example?: unknown }[]
  requestBody?: Described
  responses: Record<string, Described>
}

interface Described {
  content?: Record<string, { schema?: { format?: string }; example?: unknown; examples?: unknown }>
}

describe('the OpenAPI description', async () => {
  // Redocly warns of descriptions that name localhost.
  const server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.fairlead.test' })
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

  it('passes the recommended rules of Redocly without warnings', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
    const lines = problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)
    assert.deepEqual(lines, [])
  })

  it('passes the OpenAPI rules of Spectral without warnings', async () => {
    const linter = new spectral.Spectral()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package declares its rules too widely
    linter.setRuleset({ extends: [rulesets.oas] } as Parameters<typeof linter.setRuleset>[0])
    const problems = await linter.run(structuredClone(document))
    const lines = problems.map(({ code, message, path }) => `${code} ${message} ${path.join('/')}`)
    assert.deepEqual(lines, [])
  })

  it('has an example for each JSON body, JSON answer and parameter', () => {
    const listed = Object.entries<Record<string, DescribedOperation>>(document.paths)
    for (const [path, methods] of listed) {
      for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path}`
        for (const { name: parameter, example } of parameters) {
          assert.ok(
            example !== undefined && example !== missingExample,
            `${name}: ${parameter} has no example; add .meta({ examples: [...] })`,
          )
        }
        for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
          const media = content?.['application/json']
          if (!media?.schema || media.schema.format === 'binary') continue
          assert.ok(media.example !== undefined || media.examples !== undefined, `${name} has no example`)
          const text = JSON.stringify(media.example ?? null)
          assert.ok(
            !text.includes(`"${missingExample}"`),
            `${name}: a field without .meta({ examples: [...] }) in ${text}`,
          )
        }
      }
    }
  })

  it('states the real statuses of reads and of files', () => {
    const statuses = ({ responses }: DescribedOperation) => Object.keys(responses)
    const file = document.paths['/v1/builds/{buildId}/binary']
    for (const operation of [file.get, file.head]) {
      assert.deepEqual(statuses(operation), ['200', '206', '304', '400', '401', '403', '404', '416'])
    }
    assert.deepEqual(statuses(document.paths['/v1/builds/{buildId}'].get), ['200', '401', '403', '404'])
    assert.equal(document.paths['/v1/builds/{buildId}'].get.operationId, 'getBuild')
    const { post } = document.paths['/v1/builds/{buildId}/distribute']
    assert.deepEqual(statuses(post), ['201', '400', '401', '403', '404', '408', '409', '413', '415', '422', '429'])
  })

  it('shows each error of an operation as the server answers it', async () => {
    const { responses } = document.paths['/v1/applications'].post
    const { examples } = responses['409'].content['application/json']
    assert.deepEqual(Object.keys(examples), ['aliasTaken', 'bundleIdentifierTaken'])
    const application = { name: 'Shop', alias: 'shop', platform: 'android' }
    await server.call('POST', '/v1/applications', { json: application })
    const { json } = await server.call('POST', '/v1/applications', { json: application })
    assert.deepEqual({ ...json, id: null }, { ...examples.aliasTaken.value, id: null })
  })

  it('is compressed, and sent again only when it changed', async () => {
    const headers = { 'Accept-Encoding': 'gzip, br;q=0.5' }
    const answer = await fetch(`${server.url}/openapi.json`, { headers })
    assert.equal(answer.headers.get('content-encoding'), 'br')
    assert.deepEqual(await answer.json(), document)
    const etag = answer.headers.get('etag') ?? ''
    const again = await fetch(`${server.url}/openapi.json`, { headers: { ...headers, 'If-None-Match': etag } })
    assert.equal(again.status, 304)
    await again.body?.cancel()
  })
})
