/** Bodies over a MiB wait for one of a few slots, in crash intake and in sentry-cli's uploads. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const event = JSON.stringify({ level: 'fatal', exception: { values: [{ type: 'Error' }] } })
const filler = Array.from({ length: 150_000 }, (_, index) => `${index * 7919} ${index ** 3}`).join(' ')

/** Writes an envelope of some megabytes; the attachment is what makes it large. */
function writeEnvelope(header: object): string {
  const items = [
    JSON.stringify(header),
    JSON.stringify({ type: 'event', length: event.length }),
    event,
    JSON.stringify({ type: 'attachment', length: filler.length }),
    filler,
  ]
  return items.join('\n')
}

const envelope = writeEnvelope({})

/** On a busy machine, the process that reads the body may exceed its time; then the body has had its slot as well. */
function assertRead({ status, text }: { status: number; text: string }): void {
  assert.ok(status === 200 || /took too much time/.test(text), `${status} ${text}`)
}

describe('large bodies', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { hostname, port } = new URL(server.url)

  /** Starts a request whose body stays unfinished. */
  const startRequest = async (address: string, path: string, headers: Record<string, string>): Promise<Socket> => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: address })
    socket.on('error', () => {})
    const lines = Object.entries({ Host: 'x', 'Content-Length': '9000000', ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`)
    socket.write(Buffer.alloc(1_200_000, '#'))
    await once(socket, 'connect')
    return socket
  }

  it('of clients that hung up leave no slot taken', async () => {
    const app = await createCrashApplication(server, 'left')
    for (let round = 0; round < 4; round++) {
      const paths = [`/api/${app.id}/store/?sentry_key=${app.key}`, `/api/${app.id}/envelope/`]
      const left = await Promise.all([...paths, ...paths, ...paths].map((path) => startRequest('127.0.0.5', path, {})))
      await setTimeout(100)
      for (const socket of left) socket.destroy()
    }
    assertRead(await deliver(server, app, 'sentry-envelope', envelope))
  })

  it('of sentry-cli that was stopped leave no slot taken', async () => {
    await createCrashApplication(server, 'stopped')
    const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'multipart/form-data; boundary=b' }
    const path = '/api/0/organizations/any/chunk-upload/'
    for (let round = 0; round < 4; round++) {
      const left = await Promise.all([1, 2, 3].map(() => startRequest('127.0.0.5', path, headers)))
      await setTimeout(100)
      for (const socket of left) socket.destroy()
    }
    const body = `${'#'.repeat(1_200_000)}\r\n--b--\r\n`
    const answer = await server.call('POST', path, { token: null, headers, body })
    assert.equal(answer.status, 200, answer.text)
  })

  it('without a crash key are refused before they wait', async () => {
    const app = await createCrashApplication(server, 'anonymous')
    const body = '#'.repeat(1_500_000)
    const held = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((last) => startRequest(`127.0.0.${last}`, `/api/${app.id}/envelope/`, {})),
    )
    const [answers] = await Promise.all(held.map((socket) => once(socket, 'data')))
    assert.match(String(answers), /^HTTP\/1\.1 403/)
    const refused = await server.call('POST', `/api/${app.id}/envelope/`, { token: null, body })
    assert.equal(refused.status, 403)
    for (const socket of held) socket.destroy()
  })

  it('of attachments do not cost the crash that they are attached to', async () => {
    const app = await createCrashApplication(server, 'attached')
    const { key, id } = app
    const post = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>, isChunked = false) => {
      const init = { method: 'POST', headers: { 'X-Sentry-Auth': `Sentry sentry_key=${key}`, ...headers } }
      const sent = isChunked ? new Blob([body]).stream() : body
      const answer = await fetch(`${server.url}/api/${id}/envelope/`, { ...init, body: sent, duplex: 'half' })
      return [answer.status, await answer.text()] as const
    }
    const noise = randomBytes(24 * 2 ** 20)
    const attachment = [`{"type":"attachment","length":${noise.length}}\n`, noise, '\n'] as const
    const write = (number: number, isLast = false) => {
      const sourceId = String(number).repeat(32)
      const item = `{"type":"event","length":${event.length}}\n${event}\n`
      const items = isLast ? [...attachment, item] : [item, ...attachment]
      const parts = [`{"event_id":"${sourceId}"}\n`, ...items]
      return Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part))))
    }
    const gzip = (bytes: Uint8Array) => Uint8Array.from(gzipSync(bytes, { level: 1 }))
    const packed = { 'Content-Encoding': 'gzip' }
    const answers = [
      await post(write(1), {}),
      await post(write(2, true), {}, true),
      await post(gzip(write(3)), packed),
      await post(gzip(write(4, true)), packed, true),
      await post(write(5), { 'X-Sentry-Auth': '' }),
    ]
    assert.deepEqual(answers, [
      ...['1', '2', '3', '4'].map((digit) => [200, `{"id":"${digit.repeat(32)}"}`]),
      answers[4],
    ])
    assert.equal(answers[4]?.[0], 403)
    const tooLarge = Uint8Array.from(Buffer.alloc(129 * 2 ** 20, '{}\n'))
    assert.equal((await post(tooLarge, {}))[0], 413)
    assert.equal((await post(Uint8Array.from(noise), packed))[0], 400)
    await waitUntilRead(server, id)
    const crashes = await listAllCrashes(server, id)
    assert.deepEqual(new Set(crashes.map(({ sourceId }) => sourceId[0])), new Set(['1', '2', '3', '4']))
  })

  it('of millions of empty lines are read without holding up the server', async () => {
    const app = await createCrashApplication(server, 'blank')
    const item = `{"type":"event","length":${event.length}}\n${event}\n`
    const body = Buffer.concat([
      Buffer.from(`{"event_id":"${'b'.repeat(32)}"}\n`),
      Buffer.alloc(100 * 2 ** 20, ' \n'),
      Buffer.from(item),
    ])
    const answer = await deliver(server, app, 'sentry-envelope', body)
    assert.equal(answer.status, 200, answer.text)
    await waitUntilRead(server, app.id)
    assert.equal((await listAllCrashes(server, app.id)).length, 1)
  })

  it('with a key in the header of a packed envelope are accepted', async () => {
    const app = await createCrashApplication(server, 'packed')
    const body = gzipSync(writeEnvelope({ dsn: app.sentryDsn }))
    assert.ok(body.length > 2 ** 20, String(body.length))
    const headers = { 'Content-Encoding': 'gzip' }
    assertRead(await server.call('POST', `/api/${app.id}/envelope/`, { token: null, headers, body }))
  })

  it('that arrive slowly from several addresses do not keep another application waiting', async () => {
    const attacked = await createCrashApplication(server, 'slow')
    const other = await createCrashApplication(server, 'fast')
    const path = `/api/${attacked.id}/store/?sentry_key=${attacked.key}`
    const held = await Promise.all([5, 6, 7, 8, 9, 10].map((last) => startRequest(`127.0.0.${last}`, path, {})))
    const trickle = setInterval(() => held.forEach((socket) => socket.write('#')), 100)
    using _held = {
      [Symbol.dispose]() {
        clearInterval(trickle)
        for (const socket of held) socket.destroy()
      },
    }
    assertRead(await deliver(server, other, 'sentry-envelope', envelope))
    // A sender of the same application gets the slot of one that is slow.
    assertRead(await deliver(server, attacked, 'sentry-envelope', envelope))
  })
})
