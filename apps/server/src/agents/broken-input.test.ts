/** Broken arguments of every kind, made with a fixed seed, are refused with a next step and never break the server. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'
import { allTools, readingTools } from './tools.ts'

const seed = 20_261_123
/** Calls of each tool, which has a token of its own because of the limit of calls in a minute. */
const callsOfTool = 80

/** Values that are wrong for most fields, and for some of them nearly right. */
const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1,
  2,
  1.5,
  1e308,
  -1e-7,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  '',
  ' ',
  '0',
  '1',
  'shop',
  'SHOP',
  'none',
  'open',
  'failing',
  'resolved',
  '2026-02-30T25:00:00Z',
  '+275760-09-13T00:00:00Z',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b\u{e0041}',
  '%00',
  '%',
  '_',
  "' or 1=1 --",
  '"; drop table builds; --',
  '../../etc/passwd',
  'build.1.releaseNotes',
  'build.1.__proto__',
  'crash.1.exceptions.0.message',
  'build.9007199254740993.releaseNotes',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '<script>alert(1)</script>',
  '${7*7}',
  '👍'.repeat(100),
  'x'.repeat(1000),
  'ß'.repeat(70_000),
  '9'.repeat(400),
  'MTIz',
  'java.lang.Error: x\n\tat a.b.c(D.java:1)',
  `java.lang.Error\n${'\tat a.b.c(D.java:1)\n'.repeat(2000)}`,
  'Incident Identifier: 1\nThread 0 Crashed:\n0 a 0xffffffffffffffff 0x0 + 99999999999999999999',
  '{"app_name":"x"}\n{"threads":[{"frames":[{"imageOffset":-1,"imageIndex":1e9}]}]}',
  [],
  [1],
  ['shop'],
  {},
  { $ne: null },
  JSON.parse('{"__proto__": {"polluted": true}}'),
]

/** Numbers that are the same in every run, by the generator `mulberry32`. */
function createRandom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) % below
  }
}

const metricsToken = 'a-token-for-prometheus'

describe('broken arguments of tools', async () => {
  const server = await startServer({ FAIRLEAD_METRICS_TOKEN: metricsToken })
  after(() => server[Symbol.asyncDispose]())
  const app = await createCrashApplication(server, 'shop')
  const { id: buildId } = await uploadApk(server, { alias: 'shop' })
  await deliver(server, app, 'raw', 'java.lang.Error: x\n\tat com.example.Shop.open(Shop.java:1)')
  await waitUntilRead(server, app.id)
  await uploadReport(server, [{ name: 'a', failure: 'x' }], { buildId, key: 'ci' })
  await server.call('PATCH', '/v1/workspace', { json: { agentWrites: true } })

  const headers = { Accept: 'application/json, text/event-stream' }
  const send = async (path: string, token: string, name: string, input: unknown) => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const answer = await server.call('POST', path, {
      token: null,
      headers: { ...headers, 'X-Service-Token': token },
      json,
    })
    const said = `${name} ${JSON.stringify(input).slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 500)}`
    if (answer.status === 400) {
      // A body with this key is refused as a whole, before a tool is looked for.
      assert.ok(said.includes('"__proto__":{') && answer.json.httpStatus === 400, said)
      return { said, message: { error: { code: -32602 } } }
    }
    assert.equal(answer.status, 200, said)
    const line = answer.text.split('\n').find((text) => text.startsWith('data: '))
    return { said, message: line === undefined ? answer.json : JSON.parse(line.slice('data: '.length)) }
  }

  for (const [path, tools] of [
    ['/mcp', readingTools],
    ['/mcp/write', allTools],
  ] as const) {
    for (const [place, { name, input }] of tools.entries()) {
      it(`are refused by ${name} at ${path}, with a next step`, async () => {
        const random = createRandom(seed + place)
        const pick = <Item>(items: readonly Item[]): Item => requireAt(items, random(items.length))
        const fields = Object.keys(input.shape)
        const { json: made } = await server.call('POST', '/v1/apiTokens', { json: { name, role: 'developer' } })
        const outcomes = new Set<string>()
        for (let count = 0; count < callsOfTool; count++) {
          const given: [string, unknown][] = fields.flatMap((field) => (random(4) > 0 ? [[field, likely(field)]] : []))
          for (let fault = random(4); fault > 0; fault--) {
            given.push([random(12) === 0 ? 'unknownField' : pick(fields), pick(strange)])
          }
          const arguments_ = random(30) === 0 ? pick(strange) : Object.fromEntries(given)
          outcomes.add(judge(await send(path, made.token, name, arguments_)))
        }
        assert.ok(outcomes.has('refused'), [...outcomes].join(' '))
      })
    }
  }

  /** An argument that the tool takes, so that each fault is met alone as well. */
  function likely(field: string): unknown {
    if (field === 'application') return 'shop'
    if (field.endsWith('Id')) return 1
    if (field === 'state') return 'failing'
    if (field === 'status') return 'open'
    if (field === 'limit') return 1
    if (field === 'ref') return 'build.1.releaseNotes'
    if (field === 'report') return 'java.lang.Error: x\n\tat com.example.Shop.open(Shop.java:1)'
    return undefined
  }

  it('are no fault of the server by its own counters', async () => {
    const bearer = { Authorization: `Bearer ${metricsToken}` }
    const { text } = await server.call('GET', '/metrics', { token: null, headers: bearer })
    const counts = text.split('\n').filter((line) => line.startsWith('fairlead_agent_calls_total{'))
    for (const { name } of allTools) {
      // Some calls have passed the check of the arguments, and the tool itself has run.
      assert.ok(
        counts.some((line) => line.includes(`tool="${name}"`)),
        `${name}: ${counts.join(' ')}`,
      )
    }
    assert.ok(counts.filter((line) => line.includes('outcome="refused"')).length >= allTools.length / 2)
    assert.deepEqual(
      counts.filter((line) => /outcome="(failed|rateLimited)"\} [1-9]/.test(line)),
      [],
    )
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    assert.equal((await server.call('GET', `/v1/builds/${buildId}`)).status, 200)
  })
})

/** Checks that an answer is a result, or a refusal that names what to do. */
function judge({ said, message }: { said: string; message: { result?: unknown; error?: { code: number } } }): string {
  const { result, error } = message
  if (error !== undefined) {
    // The arguments are no object, which is a fault of the protocol.
    assert.equal(error.code, -32602, said)
    return 'protocol'
  }
  const { isError, content, structuredContent } = Object(result)
  assert.ok(Array.isArray(content) && content.length === 1, said)
  const [{ text }] = content
  if (isError !== true) {
    assert.equal(text, JSON.stringify(structuredContent), said)
    return 'answered'
  }
  assert.ok(text.length <= 2000, said)
  assert.doesNotMatch(text, /\bat \/|node_modules|\.ts:|SELECT|select "|sqlite|postgres|kysely/i, said)
  if (text.startsWith('Input validation error: ')) return 'refused'
  const { code, detail, next } = JSON.parse(text).error
  assert.notEqual(code, 'internal', said)
  assert.ok(detail.length > 0 && next.length > 0, said)
  return 'refused'
}
