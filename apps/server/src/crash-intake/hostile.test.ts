/** Hostile deliveries of the shared fixtures: each gets a typed answer, and an accepted one is counted once. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import {
  createCrashApplication,
  findCrashFixtures,
  listAllCrashes,
  readFixture,
  waitUntilRead,
} from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const folder = findCrashFixtures()
const socketMs = 4000

describe('hostile deliveries', { skip: folder === undefined && 'no shared fixtures' }, async () => {
  if (folder === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const lines = readFixture(folder, 'hostile/MANIFEST.tsv').toString().trim().split('\n').slice(1)
  for (const [place, line] of lines.entries()) {
    const [file = '', method = '', path = '', headers = '{}', expected = '', why = ''] = line.split('\t')
    it(`get the expected answer: ${file} (${expected}) ${why}`, async () => {
      const application = await createCrashApplication(server, `app-${place}`)
      const fill = (text: string) =>
        text.replaceAll('{app}', String(application.id)).replaceAll('{key}', application.key)
      const started = Date.now()
      const before = process.cpuUsage()
      const body = readFixture(folder, `hostile/${file}`)
      const answer = file.endsWith('.http')
        ? await sendRaw(server.url, fill(body.toString('latin1')))
        : await server.call(method, fill(path), { token: null, headers: JSON.parse(fill(headers)), body })
      // Seconds of processor time, because on a machine with other work, those of the clock are no property of ours.
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 5_000_000, 'the answer took over five seconds of processor time')
      assert.ok(Date.now() - started < 30_000, 'the answer took over thirty seconds')
      assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
      if (answer.status >= 400 && answer.text !== '') {
        assert.equal(JSON.parse(answer.text).httpStatus, answer.status)
      }
      await waitUntilRead(server, application.id)
      const { length } = await listAllCrashes(server, application.id)
      const [kind, status] = expected.split(':')
      if (kind === 'refuse') {
        assert.ok(answer.status >= 400 || (answer.status === 0 && file.endsWith('.http')), String(answer.status))
        if (status !== undefined) assert.equal(answer.status, Number(status), answer.text)
        assert.equal(length, 0)
      }
      if (kind === 'drop' || kind === 'accept') {
        assert.ok(answer.status === 200 || answer.status === 202, `${answer.status} ${answer.text}`)
        assert.equal(length, kind === 'accept' ? 1 : 0)
      }
    })
  }
})

/** Sends bytes over a bare socket. The status is 0 when the server closed it without an answer, or was silent. */
async function sendRaw(url: string, request: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, socketMs)
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (Buffer.concat(chunks).includes('}')) resolve()
  })
  socket.once('close', () => resolve()).on('error', () => resolve())
  socket.write(Buffer.from(request, 'latin1'))
  await promise
  clearTimeout(timer)
  socket.destroy()
  const answer = Buffer.concat(chunks).toString()
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  return { status: Number(status), text: /\{.*\}/s.exec(answer)?.[0] ?? '' }
}
