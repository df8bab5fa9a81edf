import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Agent, connectAgent } from '../testing/agents.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

const writing = ['set_crash_status', 'quarantine_test', 'set_release_notes']

describe('writing by agents', () => {
  let server: TestServer
  let ids: { crashGroupId: number; testId: number; buildId: number }

  before(async () => {
    server = await startServer()
    const app = await createCrashApplication(server, 'shop')
    const { id: buildId } = await uploadApk(server, { alias: 'shop' })
    await deliver(server, app, 'raw', 'java.lang.Error: x\n\tat com.example.Shop.open(Shop.java:1)')
    await waitUntilRead(server, app.id)
    const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    const { run } = await uploadReport(server, [{ name: 'a', failure: 'x' }])
    const { json: results } = await server.call('GET', `/v1/testRuns/${run.id}/results`)
    ids = { crashGroupId: groups[0].id, testId: results[0].testId, buildId }
  })
  after(() => server[Symbol.asyncDispose]())

  const turn = async (agentWrites: boolean) => {
    const answer = await server.call('PATCH', '/v1/workspace', { json: { agentWrites } })
    assert.equal(answer.json.agentWrites, agentWrites)
  }
  const createToken = async (role: string): Promise<string> => {
    const { json } = await server.call('POST', '/v1/apiTokens', { json: { name: `a ${role}`, role } })
    return json.token
  }
  const listNames = async ({ client }: Agent) => (await client.listTools()).tools.map(({ name }) => name)
  const tryAll = async (agent: Agent) => [
    await agent.refuse('set_crash_status', { crashGroupId: ids.crashGroupId, status: 'resolved' }),
    await agent.refuse('quarantine_test', { testId: ids.testId, reason: 'flaky' }),
    await agent.refuse('set_release_notes', { buildId: ids.buildId, releaseNotes: 'changed' }),
  ]

  it('is off until an administrator turns it on, and never possible at the other address', async () => {
    const path = '/mcp/write'
    await using writer = await connectAgent(server, { path })
    await using reader = await connectAgent(server)
    const reads = await listNames(reader)
    assert.deepEqual(await listNames(writer), reads)
    for (const { code } of await tryAll(writer)) assert.equal(code, 'writesOff')
    const developer = await createToken('developer')
    const json = { agentWrites: true }
    assert.equal((await server.call('PATCH', '/v1/workspace', { json, token: developer })).status, 403)
    await turn(true)
    assert.deepEqual(await listNames(writer), [...reads, ...writing])
    assert.deepEqual(await listNames(reader), reads)
    for (const name of writing) {
      await assert.rejects(reader.client.callTool({ name, arguments: {} }), { code: -32602 })
    }
    await using viewer = await connectAgent(server, { path, token: await createToken('viewer') })
    assert.deepEqual(await listNames(viewer), reads)
    for (const { code } of await tryAll(viewer)) assert.equal(code, 'forbidden')
    await using stranger = await connectAgent(server, { path, token: await createSecondWorkspace(server) })
    for (const { code } of await tryAll(stranger)) assert.equal(code, 'writesOff')
    await turn(false)
    for (const { code } of await tryAll(writer)) assert.equal(code, 'writesOff')
    const { json: build } = await server.call('GET', `/v1/builds/${ids.buildId}`)
    assert.equal(build.releaseNotes, null)
  })

  for (const mode of ['auto', 'legacy'] as const) {
    it(`does what the API does and is audited with the tool and the agent, in the era ${mode}`, async () => {
      await turn(true)
      const token = await createToken('developer')
      await using agent = await connectAgent(server, { path: '/mcp/write', token, mode })
      const { tools } = await agent.client.listTools()
      const hints = tools.filter(({ name }) => writing.includes(name)).map(({ annotations }) => annotations)
      assert.ok(hints.every((hint) => hint?.readOnlyHint === false && hint.destructiveHint !== undefined))
      assert.ok(hints.every((hint) => hint?.idempotentHint !== undefined))
      const { crashGroupId, testId, buildId } = ids
      const resolved = await agent.call('set_crash_status', {
        crashGroupId,
        status: 'resolved',
        resolvedInVersion: '2',
      })
      assert.equal(resolved.status, 'resolved')
      const { json: group } = await server.call('GET', `/v1/crashGroups/${crashGroupId}`)
      assert.deepEqual([group.status, group.resolvedInVersion], ['resolved', '2'])
      const until = new Date(Date.now() + 86_400_000).toISOString()
      const ignored = { crashGroupId, status: 'ignored', ignoredUntilDate: until }
      assert.equal((await agent.call('set_crash_status', ignored)).status, 'ignored')
      const quarantined = await agent.call('quarantine_test', { testId, reason: 'asked for', expirationDate: until })
      assert.deepEqual([quarantined.testId, quarantined.expirationDate], [testId, until])
      const { json: test } = await server.call('GET', `/v1/tests/${testId}`)
      assert.equal(test.quarantine.reason, 'asked for')
      const noted = await agent.call('set_release_notes', { buildId, releaseNotes: '- Faster' })
      assert.equal(noted.untrusted.releaseNotes, '- Faster')
      assert.equal((await server.call('GET', `/v1/builds/${buildId}`)).json.releaseNotes, '- Faster')
      const cleared = await agent.call('set_release_notes', { buildId, releaseNotes: null })
      assert.equal(cleared.untrusted.releaseNotes, null)

      const { json: events } = await server.call('GET', '/v1/auditEvents?limit=5')
      const [last, , quarantine, , status] = events
      assert.deepEqual(
        [last, quarantine, status].map(({ action, target }) => [action, target]),
        [
          ['build.update', `/v2/builds/${buildId}`],
          ['quarantine.create', `/v1/applications/${test.applicationId}/quarantine`],
          ['crashGroup.update', `/v1/crashGroups/${crashGroupId}`],
        ],
      )
      for (const { actor, details } of events) {
        assert.deepEqual([actor.kind, actor.name, details.via], ['token', 'a developer', 'mcp'])
        assert.equal(details.client, mode === 'auto' ? 'agent of the tests' : 'node')
      }
      assert.deepEqual([last.details.tool, last.details.releaseNotesChanged], ['set_release_notes', true])
    })
  }

  it('refuses what the API refuses', async () => {
    await turn(true)
    await using agent = await connectAgent(server, { path: '/mcp/write' })
    const { crashGroupId, testId, buildId } = ids
    const attempts: [string, Record<string, unknown>, string][] = [
      ['set_crash_status', { crashGroupId: 999_999, status: 'open' }, 'crashGroupNotFound'],
      ['set_crash_status', { crashGroupId, status: 'gone' }, 'inputValidation'],
      ['set_crash_status', { crashGroupId, status: 'ignored', ignoredUntilDate: 'soon' }, 'invalidInput'],
      ['quarantine_test', { testId: 999_999, reason: 'x' }, 'testNotFound'],
      ['quarantine_test', { testId, reason: '  ' }, 'missingReason'],
      ['quarantine_test', { testId, reason: 'x', expirationDate: '2020-01-01T00:00:00Z' }, 'invalidQuarantineEnd'],
      ['set_release_notes', { buildId: 999_999, releaseNotes: 'x' }, 'buildNotFound'],
      ['set_release_notes', { buildId, releaseNotes: 'a\u0000b' }, 'invalidInput'],
      ['set_release_notes', { buildId, releaseNotes: 'é'.repeat(60_000) }, 'invalidInput'],
    ]
    for (const [tool, input, code] of attempts) assert.equal((await agent.refuse(tool, input)).code, code, tool)
    const { json: events } = await server.call('GET', '/v1/auditEvents?limit=1')
    assert.equal(events[0].action, 'workspace.update')
    assert.equal(events[0].details.agentWrites, true)
  })
})
