import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTemporaryFolder, startServerProcess } from '../processes/server-process.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { callEverything, toPattern } from './call-everything.ts'

interface Description {
  paths: Record<string, Record<string, unknown>>
}

/** Operations that the client does not have: probes of monitoring, and the pages and files of testers. */
const otherAudiences = [/ \/(healthz|readyz|metrics)$/, / \/(install|latest)\//, / \/(assets\/)?\*$/]

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
    const called = [...(await callEverything()).values()].flat()
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
