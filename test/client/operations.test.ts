import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { createClient } from '@fairlead/client'
import { openTemporaryFolder, startServerProcess } from '../processes/server-process.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { requirePort } from '../../scripts/free-port.ts'

interface Description {
  paths: Record<string, Record<string, unknown>>
}

/** Operations that the client does not have: probes of monitoring, and the pages and files of testers. */
const otherAudiences = [/ \/(healthz|readyz|metrics)$/, / \/(install|latest)\//, / \/(assets\/)?\*$/]

/** Arguments of functions that do not just take numbers and plain objects. */
const specialArguments: Record<string, unknown[]> = {
  'builds.upload': [{ alias: 'a', file: new Blob(['x']) }],
  'tests.uploadReport': [{ alias: 'a', file: new Blob(['x']) }],
  'symbols.upload': [{ alias: 'a', file: new Blob(['x']) }],
  'crashes.listNewest': [7],
  'uploads.create': [9, {}],
  'uploads.getOffset': ['id'],
  'uploads.append': ['id', 0, { file: new Blob(['x']) }],
  'uploads.discard': ['id'],
  'access.requestPasswordReset': ['a@example.com'],
  'access.previewInvitation': ['token'],
  'groups.addTesters': [7, ['a@example.com']],
  'groups.removeTester': [7, 7],
  'builds.setReleaseNotes': [7, 'notes'],
  'builds.getInstalls': [7, 30],
  'members.setRole': [7, 'viewer'],
}

describe('the client and the description of the API', () => {
  it('know the same operations', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    const response = await fetch(`${server.url}/openapi.json`)
    const { paths } = await readAnswer<Description>(response)
    const described = Object.entries(paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .filter((operation) => !otherAudiences.some((pattern) => pattern.test(operation)))
    assert.ok(described.length > 50, 'the description is there')
    const called = await callEverything()
    const isCalled = (operation: string) => called.some((call) => toPattern(operation).test(call))
    assert.deepEqual(
      described.filter((operation) => !isCalled(operation)),
      [],
      'the client lacks these',
    )
    const isDescribed = (call: string) => described.some((operation) => toPattern(operation).test(call))
    assert.deepEqual(
      called.filter((call) => !isDescribed(call)),
      [],
      'the server lacks these',
    )
  })
})

/** Calls each function of the client once, and returns the methods and paths that reached a server. */
async function callEverything(): Promise<string[]> {
  const calls: string[] = []
  const recorder = createServer((request, response) => {
    calls.push(`${request.method} ${request.url?.split('?')[0]}`)
    request.resume()
    request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'))
  })
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const port = requirePort(recorder)
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` })
  for (const [resource, functions] of Object.entries(client)) {
    for (const [name, call] of Object.entries<(...given: never[]) => unknown>(functions)) {
      const given = specialArguments[`${resource}.${name}`] ?? (takesNothing(call) ? [] : [7, {}])
      await Reflect.apply(call, undefined, given)
    }
  }
  recorder.closeAllConnections()
  recorder.close()
  return calls
}

/** A call whose only parameter is its options. */
function takesNothing(call: (...given: never[]) => unknown): boolean {
  return call.toString().startsWith('(options)')
}

/** Turns `GET /v1/builds/{buildId}` into a regular expression that matches real requests. */
function toPattern(operation: string): RegExp {
  return new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}
