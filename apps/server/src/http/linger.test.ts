import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ApiError } from '@fairlead/contract'
import fastify from 'fastify'
import { pino } from 'pino'
import { createErrorHandler } from './errors.ts'
import { requireAddress } from './listening-address.ts'
import { lingerAfterAnswers, type LingerLimits } from './linger.ts'
import { startServer } from '../testing/start-server.ts'

const mebibyte = 2 ** 20
const wide: LingerLimits = { totalMs: 600_000, silenceMs: 600_000, bytes: Infinity, connections: 100 }

interface Refusing extends AsyncDisposable {
  port: number
  /** How many requests were carried out. */
  carriedOut(): number
  /** How many bytes of bodies were read. */
  received(): number
  countConnections(): Promise<number>
}

/** Starts a server that refuses each body before it reads it, except at `/taken`. `/last` ends its connection. */
async function startRefusing(limits: Partial<LingerLimits>): Promise<Refusing> {
  const app = fastify({ forceCloseConnections: true })
  let carriedOut = 0
  let received = 0
  lingerAfterAnswers(app, { ...wide, ...limits })
  app.setErrorHandler(createErrorHandler(pino({ level: 'silent' })))
  app.addHook('onRequest', async (request, reply) => {
    // A body is only counted while somebody else reads it.
    request.raw.once('resume', () => request.raw.on('data', ({ length }: Buffer) => (received += length)))
    if (request.url === '/last') reply.header('connection', 'close')
    if (request.url !== '/taken') throw new ApiError('unauthorized')
  })
  app.post('/taken', async () => {
    carriedOut++
    return {}
  })
  for (const path of ['/', '/last']) app.post(path, async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = requireAddress(app.server)
  return {
    port,
    carriedOut: () => carriedOut,
    received: () => received,
    countConnections: () =>
      new Promise((resolve, reject) =>
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

/** Opens a connection and sends the head of a request, of which nothing is read. */
async function sendHead(port: number, lines: readonly string[], path = '/'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write([`POST ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'))
  return socket
}

/** Reads what a server sends until it ends its side of the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return text
}

async function waitUntilClosed(server: Refusing): Promise<void> {
  while ((await server.countConnections()) > 0) await setTimeout(5)
}

/** Resolves when the server has closed a connection, on which something is sent again and again. */
async function sendUntilClosed(socket: Socket, piece: Buffer | string): Promise<void> {
  socket.resume()
  while (!socket.closed) {
    if (socket.writable && !socket.writableNeedDrain) socket.write(piece)
    await setTimeout(1)
  }
}

describe('an early answer', () => {
  it('reaches a client that reads only after it has sent all of its large body', async () => {
    await using server = await startServer()
    const port = Number(new URL(server.url).port)
    const body = Buffer.alloc(24 * mebibyte, '#')
    const token = `X-Service-Token: ${server.token}`
    const json = 'Content-Type: application/json'
    const refused: [path: string, status: number, lines: string[]][] = [
      ['/v2/builds', 401, ['Connection: close']],
      ['/v2/builds', 401, []],
      ['/v2/builds', 404, [token, 'X-Service-Application-Alias: none', 'Connection: close']],
      ['/v1/applications', 413, [token, json, 'Connection: close']],
      // The server ends the connection itself, because the body is too long for its route.
      ['/v1/session', 413, [json]],
      ['/v1/nowhere', 404, ['Connection: close']],
    ]
    for (const [path, status, lines] of refused) {
      const socket = await sendHead(port, [...lines, `Content-Length: ${body.length}`], path)
      await new Promise((resolve) => socket.write(body, resolve))
      const [first]: Buffer[] = await once(socket, 'data')
      assert.match(String(first), new RegExp(`^HTTP/1\\.1 ${status} `), `${path} ${lines.join()}`)
      socket.destroy()
    }
  })

  it('is followed by little of what its clients still send in each turn of the event loop', async () => {
    await using server = await startRefusing({})
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => sendHead(server.port, [`Content-Length: ${16 * mebibyte}`])),
    )
    let longest = 0
    const over = new AbortController()
    const counting = (async () => {
      while (!over.signal.aborted) {
        const before = server.received()
        await setImmediate()
        longest = Math.max(longest, server.received() - before)
      }
    })()
    const piece = Buffer.alloc(16 * mebibyte, '#')
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.resume().write(piece, resolve))))
    over.abort()
    await counting
    // One share of 256 KiB, and what Node has read of each of the others before they were paused.
    assert.ok(server.received() > 100 * mebibyte)
    assert.ok(longest < 3 * mebibyte, `${longest} bytes were read in one turn`)
    for (const socket of sockets) socket.destroy()
  })

  it('ends its connection as soon as the body has ended', async () => {
    await using server = await startRefusing({})
    const socket = await sendHead(server.port, ['Connection: close', 'Content-Length: 10'])
    socket.write('12345')
    assert.match(await readAll(socket), /^HTTP\/1\.1 401 .*connection: close/is)
    assert.equal(await server.countConnections(), 1)
    socket.write('67890')
    await waitUntilClosed(server)
    socket.destroy()
  })

  it('keeps a connection that is not to end, and answers the next request on it', async () => {
    await using server = await startRefusing({})
    const socket = await sendHead(server.port, ['Content-Length: 10'])
    socket.write('12345')
    await once(socket, 'data')
    socket.write('67890')
    socket.write('POST /taken HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(await readAll(socket), /^HTTP\/1\.1 200 /)
    assert.equal(server.carriedOut(), 1)
    await waitUntilClosed(server)
    socket.destroy()
  })

  for (const [name, limits, piece] of [
    ['sends more than may be dropped', { bytes: mebibyte }, Buffer.alloc(65_536, '#')],
    ['sends for too long', { totalMs: 200 }, '#'],
  ] as const) {
    for (const connection of ['close', 'keep-alive']) {
      it(`is followed by the end of a connection (${connection}) that ${name}`, async () => {
        await using server = await startRefusing(limits)
        const socket = await sendHead(server.port, [`Connection: ${connection}`, 'Content-Length: 100000000000'])
        await once(socket, 'data')
        await sendUntilClosed(socket, piece)
      })
    }
  }

  it('is followed by the end of a connection on which nothing more comes', async () => {
    await using server = await startRefusing({ silenceMs: 200 })
    for (const connection of ['close', 'keep-alive']) {
      const socket = await sendHead(server.port, [`Connection: ${connection}`, 'Content-Length: 1000'])
      assert.match(await readAll(socket), /^HTTP\/1\.1 401 /)
      await waitUntilClosed(server)
      socket.destroy()
    }
  })

  it('lets only some connections go on, and gives their places back', async () => {
    await using server = await startRefusing({ connections: 2 })
    for (let round = 0; round < 3; round++) {
      const sockets: Socket[] = []
      for (let index = 0; index < 5; index++) {
        const socket = await sendHead(server.port, ['Connection: close', 'Content-Length: 1000'])
        await once(socket, 'data')
        sockets.push(socket)
      }
      while ((await server.countConnections()) > 2) await setTimeout(5)
      await setTimeout(50)
      assert.equal(await server.countConnections(), 2)
      for (const socket of sockets) socket.destroy()
      await waitUntilClosed(server)
    }
  })

  it('is the last of its connection: what was sent behind the body is not carried out', async () => {
    await using server = await startRefusing({})
    const socket = await sendHead(server.port, ['Content-Length: 10'], '/last')
    socket.write('12345')
    assert.match(await readAll(socket), /^HTTP\/1\.1 401 /)
    socket.write('67890POST /taken HTTP/1.1\r\nHost: x\r\n\r\n')
    await waitUntilClosed(server)
    assert.equal(server.carriedOut(), 0)
    socket.destroy()
  })
})
