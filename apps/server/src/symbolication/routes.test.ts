import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, describe, it } from 'node:test'
import { SymbolicatedCrash } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { createApplication } from '../testing/upload.ts'

const reportBytes = 16 * 2 ** 20 - 100
const newlines = () => `Binary Images:\n${'\n'.repeat(reportBytes)}`
const emptyThreads = () => `{"bug_type":"309"}\n{"threads":[${'{},'.repeat(reportBytes / 3)}{}]}`
const bareAddresses = () => `Last Exception Backtrace:\n${`${'0x1 '.repeat(20)}\n`.repeat(reportBytes / 81)}`

const crash = `Incident Identifier: 1
Thread 0 Crashed:
0   Shop   0x0000000104d48130 0x104d48000 + 304

Binary Images:
0x104d48000 - 0x104d67fff Shop arm64  <0123456789abcdef0123456789abcdef> /app/Shop
`
const trace = 'java.lang.Error: x\n\tat a.a.a(SourceFile:1)\n'

describe('a crash report', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const ios = await createApplication(server, 'shop-ios', 'ios')
  const android = await createApplication(server, 'shop')

  const symbolicate = ({ id }: { id: number }, body: string) =>
    server.call('POST', `/v1/applications/${id}/symbolicate`, { body })

  it('is read by what it is, also in an application of the other platform', async () => {
    const apple = await symbolicate(ios, crash)
    assert.equal(apple.status, 200, apple.text)
    assert.equal(SymbolicatedCrash.parse(apple.json).kind, 'apple')
    assert.equal((await symbolicate(android, trace)).json.kind, 'android')
    assert.equal((await symbolicate(ios, trace)).json.kind, 'android')
    assert.equal((await symbolicate(android, crash)).json.kind, 'apple')
  })

  it('may begin with a line of JSON on Android', async () => {
    const { json } = await symbolicate(android, `{"level":"error"}\n${trace}`)
    assert.equal(json.kind, 'android')
    assert.equal(json.threads[0].frames[0].function, 'a.a.a')
  })

  it('is refused when it is no crash, and the answer says that nothing could be read', async () => {
    for (const application of [ios, android]) {
      for (const text of [
        '',
        'Dear support, it crashed.',
        '{"level":"error"}',
        '{"level":"error"}\n{"level":"info"}',
      ]) {
        const answer = await symbolicate(application, text)
        assert.equal(answer.status, 422, answer.text)
        assert.match(answer.json.detail, /^Nothing in the text can be read as a crash report\./)
      }
    }
  })

  it('delays no other request when it is costly to read', async () => {
    for (const write of [newlines, emptyThreads, bareAddresses]) {
      const order: string[] = []
      const costly = symbolicate(ios, write()).finally(() => order.push('crash'))
      const health = server.call('GET', '/healthz').finally(() => order.push('health'))
      assert.equal((await health).status, 200)
      const { status, text } = await costly
      assert.ok([200, 422].includes(status), text.slice(0, 1000))
      assert.deepEqual(order, ['health', 'crash'])
    }
  })

  it('is refused with Retry-After when too many reports wait', async () => {
    const body = bareAddresses()
    const answers = await Promise.all(Array.from({ length: 6 }, () => symbolicate(ios, body)))
    assert.ok(answers.every(({ status }) => status === 200 || status === 429))
    const refused = answers.find(({ status }) => status === 429)
    assert.ok(refused)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await symbolicate(ios, crash)).status, 200)
  })

  it('is dropped when its client hangs up, and the next one is read', async () => {
    const sent = request(`${server.url}/v1/applications/${ios.id}/symbolicate`, {
      method: 'POST',
      headers: { 'X-Service-Token': server.token },
    })
    sent.on('error', () => {})
    sent.end(bareAddresses())
    await once(sent, 'finish')
    sent.destroy()
    assert.equal((await symbolicate(ios, crash)).status, 200)
  })
})
