import assert from 'node:assert/strict'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, it } from 'node:test'
import { requireAddress } from '../http/listening-address.ts'
import { parseHooksAllow } from '../settings/hooks-allow.ts'
import { type OutboundAnswer, type Resolve, sendGuarded } from './guarded-client.ts'
import { OutboundError } from './outbound-error.ts'
import { createResolver } from './resolver.ts'

async function listen(server: Server, host = '127.0.0.1', port = 0) {
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    socket.on('error', () => {})
  })
  await new Promise<void>((done) => server.listen(port, host, done))
  return {
    port: requireAddress(server).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function') {
        server.closeAllConnections()
      }
      server.close()
    },
  }
}

const serve = (listener: RequestListener, host?: string, port?: number) =>
  listen(createHttpServer(listener), host, port)

/** A server that speaks no HTTP; sockets are closed with the test. */
async function serveBytes(answer: string) {
  const server = createTcpServer((socket) => socket.end(answer))
  return listen(server)
}

function send(allow: string, url: string, resolve = createResolver()): Promise<OutboundAnswer> {
  const parsed = parseHooksAllow(allow)
  assert.ok(typeof parsed !== 'string')
  const request = { url, method: 'POST' as const, headers: {}, body: Buffer.from('{}') }
  return sendGuarded({ allow: parsed, resolve }, request)
}

async function failure(answer: Promise<OutboundAnswer>): Promise<string> {
  return answer.then(
    ({ status }) => `answer ${status}`,
    (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
  )
}

const resolveTo =
  (...addresses: string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

describe('The guarded client', () => {
  it('makes no connection to a name that resolves inside, nor to one of which one address is inside', async () => {
    await using inside = await serve((_request, response) => response.end())
    const url = `https://receiver.example.com:${inside.port}/`
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['2606:4700::1', '::1']]) {
      assert.equal(await failure(send('', url, resolveTo(...addresses))), 'addressRefused')
    }
    assert.equal(await failure(send('', `https://localhost:${inside.port}/`)), 'addressRefused')
    assert.equal(await failure(send('', `https://127.1:${inside.port}/`)), 'addressRefused')
    assert.equal(inside.connections(), 0)
  })

  it('connects to the address that was checked, and checks a name again that was rebound', async () => {
    await using outside = await serve((_request, response) => response.end('outside'), '127.0.0.2')
    await using inside = await serve((_request, response) => response.end('inside'), '127.0.0.1', outside.port)
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2']]
    let asked = 0
    const rebind: Resolve = (name, done) => resolveTo(...(answers[asked++] ?? []))(name, done)
    const allow = `127.0.0.2,receiver.example.com:1`
    const url = `http://receiver.example.com:${outside.port}/`
    // The name has to be listed for plain HTTP; port 1 lists it for no address of this test.
    assert.equal(await failure(send(allow, url, rebind)), 'addressRefused')
    assert.equal(asked, 0)
    const secure = url.replace('http:', 'https:')
    assert.equal(await failure(send(allow, secure, rebind)), 'tls')
    assert.equal(await failure(send(allow, secure, rebind)), 'addressRefused')
    assert.equal(await failure(send(allow, secure, rebind)), 'tls')
    assert.equal(asked, 3)
    assert.equal(outside.connections(), 2)
    assert.equal(inside.connections(), 0)
  })

  it('sends the name as Host to the address that was checked', async () => {
    const hosts: (string | undefined)[] = []
    await using receiver = await serve((request, response) => {
      hosts.push(request.headers.host)
      response.end('fine')
    })
    const answer = await send('chat.lan', `http://chat.lan:${receiver.port}/`, resolveTo('127.0.0.1'))
    assert.deepEqual([answer.status, answer.text], [200, 'fine'])
    assert.deepEqual(hosts, [`chat.lan:${receiver.port}`])
  })

  it('follows no redirect', async () => {
    await using inside = await serve((_request, response) => response.end('inside'))
    await using receiver = await serve((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    )
    const answer = await send(`127.0.0.1:${receiver.port}`, `http://127.0.0.1:${receiver.port}/`)
    assert.equal(answer.status, 307)
    assert.equal(inside.connections(), 0)
  })

  it('uses no proxy of the environment', async () => {
    await using proxy = await serve((_request, response) => response.end('proxy'))
    await using receiver = await serve((_request, response) => response.end('receiver'))
    const before = { ...process.env }
    Object.assign(process.env, { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` })
    const answer = await send('127.0.0.1', `http://127.0.0.1:${receiver.port}/`).finally(() => {
      process.env = before
    })
    assert.equal(answer.text, 'receiver')
    assert.equal(proxy.connections(), 0)
  })

  it('reads 64 KiB of an answer that floods, and nothing of one that is no text', async () => {
    await using receiver = await serve((request, response) => {
      if (request.url === '/binary') return response.setHeader('content-type', 'image/png').end('x')
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', flood)
      }
      flood()
      return undefined
    })
    const base = `http://127.0.0.1:${receiver.port}`
    const answer = await send('127.0.0.1', `${base}/`)
    assert.deepEqual([answer.status, answer.text?.length], [200, 65_536])
    assert.equal((await send('127.0.0.1', `${base}/binary`)).text, null)
  })

  it('names what failed: headers that are too long, no HTTP, nobody there, no such name, no TLS', async () => {
    await using long = await serveBytes(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    await using nonsense = await serveBytes('220 mail ready\r\n')
    await using closing = await serveBytes('')
    for (const { port } of [long, nonsense, closing]) {
      assert.equal(await failure(send('127.0.0.1', `http://127.0.0.1:${port}/`)), 'reset')
      assert.equal(await failure(send('127.0.0.1', `https://127.0.0.1:${port}/`)), 'tls')
    }
    assert.equal(await failure(send('127.0.0.1', 'http://127.0.0.1:1/')), 'connect')
    const unknown: Resolve = (_name, done) => done(new Error('ENOTFOUND'), [])
    assert.equal(await failure(send('', 'https://nowhere.example.com/', unknown)), 'dns')
    assert.equal(await failure(send('', 'https://receiver.invalid/')), 'dns', 'the resolver of the system')
  })

  it('ends after 5 s without a connection and after 15 s without headers', async () => {
    await using silent = await listen(createTcpServer(() => {}))
    const startedAt = Date.now()
    const never: Resolve = () => {}
    const [dns, tls, headers] = await Promise.all([
      failure(send('', 'https://slow.example.com/', never)).then((code) => [code, Date.now() - startedAt] as const),
      failure(send('127.0.0.1', `https://127.0.0.1:${silent.port}/`)).then(
        (code) => [code, Date.now() - startedAt] as const,
      ),
      failure(send('127.0.0.1', `http://127.0.0.1:${silent.port}/`)).then(
        (code) => [code, Date.now() - startedAt] as const,
      ),
    ])
    for (const [code, ms] of [dns, tls]) {
      assert.equal(code, 'timeout')
      // The upper limits allow for a busy machine.
      assert.ok(ms >= 4900 && ms < 60_000, String(ms))
    }
    assert.equal(headers[0], 'timeout')
    assert.ok(headers[1] >= 14_900 && headers[1] < 60_000, String(headers[1]))
  })
})
