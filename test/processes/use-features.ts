/** Uses what the server has besides builds, symbols, crashes and tests, once each, as people and programs do. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Browser, password } from '../../apps/server/src/testing/browser.ts'
import type { HookReceiver } from '../../apps/server/src/testing/hook-receiver.ts'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { sendFeedback } from '../../apps/server/src/testing/send-feedback.ts'
import { call as callServer, type CallOptions } from '../../apps/server/src/testing/call-server.ts'
import { answerDeviceQuestion, readDeviceQuestion } from './device-message.ts'
import { token } from './server-process.ts'

interface Used {
  url: string
  build: { id: number; installUrl: string }
  /** Where the hooks of the server may send to. */
  receiver: HookReceiver
}

export async function useFeatures({ url, build, receiver }: Used): Promise<void> {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callServer(url, method, path, { token, ...options })
  const ask = async (request: string, options: CallOptions = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await call(method, path, options)
    assert.ok(answer.status < 300, `${request} ${answer.status} ${answer.text}`)
    return answer
  }
  const toPath = (address: string) => new URL(address).pathname

  const streaming = await openStream(url)
  const hook = await ask('POST /v1/hooks', { json: { name: 'CI', url: receiver.url, events: ['*'] } })
  await ask(`POST /v1/hooks/${hook.json.id}/test`)
  await receiver.waitFor(({ json }) => json.type === 'hook.test')

  const { json: invited } = await ask('POST /v1/invitations', { json: { email: 'ada@example.com', role: 'admin' } })
  const ada = new Browser({ call })
  const secret = new URL(invited.inviteUrl).searchParams.get('token')
  await ada.start('/v1/invitations/accept', { token: secret, name: 'ada', password })
  await ada.start('/v1/session', { email: 'ada@example.com', password })
  const workspace = await ada.call('PATCH', '/v1/workspace', { json: { linkLifetimeDays: 30 } })
  assert.equal(workspace.status, 200, workspace.text)

  const pictures = [{ name: 'a.png', bytes: createPng() }]
  const sent = await sendFeedback({ call }, build.installUrl, { text: 'The chart is empty', pictures })
  assert.equal(sent.status, 201, sent.text)
  const { json: feedback } = await ask(`GET /v1/feedback/${sent.json.id}`)
  assert.equal((await ask(`GET ${toPath(feedback.pictures[0].url)}`)).headers.get('content-type'), 'image/png')

  const group = await ask('POST /v1/distributionGroups', { json: { name: 'QA' } })
  const emails = { emails: ['bob@example.com'] }
  const { json: testers } = await ask(`POST /v1/distributionGroups/${group.json.id}/testers`, { json: emails })
  const page = toPath(testers[0].pageUrl)
  const question = readDeviceQuestion((await ask(`GET ${page}/device.mobileconfig`, { token: null })).bytes)
  const local = { ...question, url: url + toPath(question.url) }
  await answerDeviceQuestion(local, { UDID: '00008110-001A2B3C4D5E6F70', PRODUCT: 'iPhone14,2', VERSION: '22A3354' })
  assert.equal((await ask('GET /v1/devices')).json.length, 1)

  const commit = { id: 'a'.repeat(40), date: '2026-11-20T08:00:00Z', files: [] }
  await ask(`PUT /v1/builds/${build.id}/commits`, { json: { head: commit.id, base: null, commits: [commit] } })
  const tool = { name: 'list_builds', arguments: { application: 'shop' } }
  const called = await ask('POST /mcp', {
    token: null,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
  })
  assert.doesNotMatch(called.text, /"isError":true|"error":/)
  await streaming.expect(/"feedback"/)
}

/** Opens a stream of events. */
async function openStream(url: string): Promise<{ expect(pattern: RegExp): Promise<void> }> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname })
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString())).on('error', () => {})
  const expect = async (pattern: RegExp) => {
    while (!pattern.test(received)) {
      assert.ok(!socket.destroyed, `the stream ended: ${received}`)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
    }
  }
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${token}\r\n\r\n`)
  await expect(/200 OK[^]*event-stream[^]*\r\n\r\n/)
  return {
    async expect(pattern) {
      await expect(pattern)
      socket.destroy()
    },
  }
}
