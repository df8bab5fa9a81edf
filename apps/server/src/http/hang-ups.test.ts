/**
 * Clients that hang up at each step of each kind of body, at moments from a fixed seed. Afterwards every slot, budget
 * and file must be free again: each kind of body is accepted several times at once, and no file is left.
 * `FAIRLEAD_ABORTS=1000` repeats it more often.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { parsePlist, signMessage } from '@fairlead/binary'
import { createSigner } from '@fairlead/binary/fixture'
import { createCrashApplication } from '../testing/crashes.ts'
import { startIdentityProvider } from '../testing/identity-provider.ts'
import { createPng } from '../testing/pictures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApk, uploadApk } from '../testing/upload.ts'
import { writeJunit } from '../testing/test-reports.ts'

const isLinux = process.platform === 'linux'
const aborts = Number(process.env.FAIRLEAD_ABORTS ?? '250')

interface Sent {
  name: string
  path: () => Promise<string> | string
  method: string
  headers: Record<string, string>
  /** Null for a request without a body, whose client hangs up while it reads the answer. */
  body: Buffer | null
  status: number
  /** For an answer that never ends, of which nothing but its head is waited for. */
  isEndless?: boolean
}

/** A generator of numbers below `below` from a fixed seed (linear congruential). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Reads the head of an answer and hangs up. */
async function readHead(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const leaving = new AbortController()
  const { status } = await fetch(url, { headers, signal: leaving.signal })
  leaving.abort()
  return { status, text: '' }
}

describe('clients that hang up', async () => {
  const provider = await startIdentityProvider()
  const server = await startServer({
    FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: '1000',
    FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  provider.register(server.url)
  const app = await createCrashApplication(server, 'shop')
  const token = { 'X-Service-Token': server.token, 'X-Service-Application-Alias': 'shop' }
  const apk = Buffer.from(createApk({ versionCode: 1 }))
  const filler = '#'.repeat(1_200_000)
  const envelope = `{}\n{"type":"event","length":2}\n{}\n{"type":"attachment","length":${filler.length}}\n${filler}`
  const chunk = Buffer.alloc(1_200_000, 'c')
  const sha1 = createHash('sha1').update(chunk).digest('hex')
  const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${sha1}"\r\n\r\n`
  const tus = { ...token, 'Tus-Resumable': '1.0.0' }
  const startUpload = async () => {
    const answer = await server.call('POST', '/v2/uploads', { headers: { ...tus, 'Upload-Length': '900000' } })
    assert.equal(answer.status, 201, answer.text)
    return answer.headers.get('location') ?? ''
  }
  const patch = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  const mapping = {
    ...token,
    'X-Service-Package': 'com.example.shop',
    'X-Service-Version-Name': '1.0',
    'X-Service-Version-Code': '7',
  }
  // Feedback is limited for each link, so it comes by the links of several builds in turn.
  const links: string[] = []
  for (let versionCode = 2; versionCode < 12; versionCode++) {
    const { installUrl } = await uploadApk(server, { alias: 'shop', apk: { versionCode } })
    links.push(new URL(installUrl).pathname)
  }
  let feedbacks = 0
  const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })
  const [tester] = (
    await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, {
      json: { emails: ['ada@example.com'] },
    })
  ).json
  const profile = await server.call('GET', `${new URL(tester.pageUrl).pathname}/device.mobileconfig`, { token: null })
  const { PayloadContent: question } = Object(parsePlist(profile.bytes))
  const signer = createSigner({ commonName: 'Apple iPhone Device CA' })
  const deviceAnswer =
    '<plist version="1.0"><dict><key>UDID</key><string>00008110-001A2B3C4D5E6F70</string>' +
    `<key>CHALLENGE</key><string>${question.Challenge}</string></dict></plist>`
  const filling = [{ name: 'assets/filling', data: randomBytes(3_000_000) }]
  const large = await uploadApk(server, { alias: 'shop', apk: { versionCode: 20, files: filling } })
  const commits = Array.from({ length: 40 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    date: '2026-11-20T08:00:00Z',
    files: [{ path: `src/file-${index}.ts`, status: 'M', hunks: [[1, 2]] }],
  }))
  const trace = 'java.lang.Error: x\n\tat org.tarn.Shop.open(S.java:1)\n'
  const described: (Omit<Sent, 'method'> & { method?: string })[] = [
    {
      name: 'crash deliveries',
      path: () => `/api/${app.id}/envelope/?sentry_key=${app.key}`,
      headers: {},
      body: Buffer.from(envelope),
      status: 200,
    },
    {
      name: 'chunks of sentry-cli',
      path: () => '/api/0/organizations/any/chunk-upload/',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([Buffer.from(part), chunk, Buffer.from('\r\n--b--\r\n')]),
      status: 200,
    },
    { name: 'builds', path: () => '/v2/builds', headers: token, body: apk, status: 201 },
    {
      name: 'parts of uploads',
      method: 'PATCH',
      path: startUpload,
      headers: patch,
      body: Buffer.alloc(800_000),
      status: 204,
    },
    {
      name: 'symbols',
      path: () => '/v2/symbolsFiles',
      headers: mapping,
      body: Buffer.from(`# compiler: R8\n# pg_map_id: 0123abc\n${'com.example.Shop -> a.a:\n'.repeat(2000)}`),
      status: 201,
    },
    {
      name: 'test reports',
      path: () => '/v1/testReports',
      headers: { ...token, 'X-Service-Branch': 'main' },
      body: Buffer.from(writeJunit(Array.from({ length: 300 }, (_, index) => ({ name: `case ${index}` })))),
      status: 201,
    },
    {
      name: 'crash reports to symbolicate',
      path: () => `/v1/applications/${app.id}/symbolicate`,
      headers: token,
      body: Buffer.from(trace),
      status: 200,
    },
    {
      name: 'JSON',
      method: 'PATCH',
      path: () => `/v1/applications/${app.id}`,
      headers: { ...token, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ description: 'd'.repeat(900) })),
      status: 200,
    },
    {
      name: 'feedback with a picture',
      path: () => `${links[feedbacks++ % links.length]}/feedback`,
      headers: { Accept: 'application/json', 'Content-Type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nThe chart is empty\r\n'),
        Buffer.from('--b\r\nContent-Disposition: form-data; name="pictures"; filename="a.png"\r\n\r\n'),
        createPng({ width: 64, height: 64 }),
        Buffer.from('\r\n--b--\r\n'),
      ]),
      status: 201,
    },
    {
      name: 'the answers of devices',
      path: () => new URL(question.URL).pathname,
      headers: { 'Content-Type': 'application/pkcs7-signature' },
      body: signMessage(Buffer.from(deviceAnswer), {
        certificates: [signer.certificate],
        privateKey: signer.privateKey,
      }),
      status: 301,
    },
    {
      name: 'the calls of agents',
      path: () => '/mcp',
      headers: {
        Authorization: `Bearer ${server.token}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: Buffer.from(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_builds', arguments: { application: 'shop' } },
        }),
      ),
      status: 200,
    },
    {
      name: 'the commits of a build',
      method: 'PUT',
      path: () => `/v1/builds/${large.id}/commits`,
      headers: { ...token, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ head: commits[0]?.id, base: null, commits })),
      status: 200,
    },
    {
      name: 'releases of sentry-cli',
      path: () => '/api/0/organizations/any/releases/',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({ version: 'shop@1.0', projects: ['shop'], url: `https://a/${'r'.repeat(900)}` }),
      ),
      status: 201,
    },
    {
      name: 'questions of sentry-cli for chunks',
      path: () => '/api/0/projects/any/shop/files/difs/assemble/',
      headers: { Authorization: `Bearer ${server.token}` },
      body: Buffer.from(
        JSON.stringify({ [sha1]: { name: 'x', chunks: Array.from({ length: 4000 }, () => '0'.repeat(40)) } }),
      ),
      status: 200,
    },
    {
      name: 'sign-ins',
      path: () => '/v1/session',
      headers: { 'Content-Type': 'application/json' },
      // Without a password it is refused once the body was read, and counts as no attempt.
      body: Buffer.from(JSON.stringify({ email: 'ada@example.com', code: 'c'.repeat(90) })),
      status: 400,
    },
    {
      name: 'logout tokens of a provider',
      path: () => '/sign-in/oidc/corp/backChannelLogout',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`logout_token=${'a'.repeat(4000)}.b.c`),
      status: 400,
    },
    {
      name: 'the forms of testers',
      path: () => `${new URL(tester.pageUrl).pathname}/mails`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`mails=off&filler=${'f'.repeat(4000)}`),
      status: 303,
    },
    {
      name: 'nothing and read a build',
      path: () => `/v1/builds/${large.id}/binary`,
      headers: token,
      body: null,
      status: 200,
    },
    {
      name: 'nothing and read the audit log',
      path: () => '/v1/auditEvents/export',
      headers: token,
      body: null,
      status: 200,
    },
    {
      name: 'nothing and read a stream of events',
      path: () => '/v1/events',
      headers: token,
      body: null,
      status: 200,
      isEndless: true,
    },
  ]

  const kinds = described.map((kind): Sent => ({ method: kind.body === null ? 'GET' : 'POST', ...kind }))

  /** Sends a request in chunks of unknown length and hangs up at a step: 0 is before the head, 9 is after the end. */
  const hangUp = async ({ method, path, headers, body }: Sent, step: number, random: (below: number) => number) => {
    const pauses = () => random(4)
    const { hostname, port } = new URL(server.url)
    // On Linux, every address of 127.0.0.0/8 is local. What is limited for each address is limited for none of them.
    const localAddress = `127.1.${random(256)}.${1 + random(254)}`
    const socket = connect({ port: Number(port), host: hostname, ...(isLinux && { localAddress }) })
    socket.on('error', () => {})
    const target = await path()
    const lines = Object.entries({ Host: 'x', ...(body && { 'Transfer-Encoding': 'chunked' }), ...headers })
    // A client that reads nothing leaves the answer in the buffers of both sides.
    if (random(2) === 0) socket.resume()
    if (step > 0)
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`)
    const size = Math.ceil((body?.length ?? 0) / 7)
    for (let sent = 0; sent < Math.min(step - 1, 7); sent++) {
      const piece = body?.subarray(sent * size, (sent + 1) * size)
      if (piece)
        socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
      for (let turns = pauses(); turns > 0; turns--) await setImmediate()
    }
    if (body && step > 8) socket.write('0\r\n\r\n')
    for (let turns = pauses(); turns > 0; turns--) await setTimeout(1)
    socket.destroy()
    await once(socket, 'close')
    // A workspace may have a limited number of unfinished uploads.
    if (target.startsWith('/v2/uploads/')) {
      const { status, text } = await server.call('DELETE', target, { headers: tus })
      assert.equal(status, 204, text)
    }
  }

  /**
   * The server notices that a client has left only when it reads on, and on a busy machine the queue of what was left
   * may take many seconds, so a queue may be full for a while. A slot that is never given back fails here all the same.
   */
  const sendWhole = async ({ method, path, headers, body, isEndless = false }: Sent) => {
    for (let tries = 0; ; tries++) {
      const target = await path()
      const answer = isEndless
        ? await readHead(server.url + target, headers)
        : await server.call(method, target, { token: null, headers, ...(body && { body }) })
      if (![429, 503].includes(answer.status) || tries === 600) return answer
      await setTimeout(100)
    }
  }

  const listOpenFiles = () =>
    readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${name}`)
        return path.includes('/staging/') || path.includes('/blobs/') ? [path] : []
      } catch {
        return []
      }
    })

  const listLeftFiles = () => [...globSync('staging/*/*', { cwd: server.dataDir }), ...(isLinux ? listOpenFiles() : [])]

  for (const [place, kind] of kinds.entries()) {
    it(`while they send ${kind.name} leave every slot free and no file open`, async () => {
      const random = createRandom(19 + place)
      const steps = Array.from({ length: aborts }, (_, index) => index % 10)
      const work = async () => {
        for (let step = steps.pop(); step !== undefined; step = steps.pop()) await hangUp(kind, step, random)
      }
      await Promise.all(Array.from({ length: 12 }, work))
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all([1, 2, 3, 4].map(() => sendWhole(kind)))
        for (const answer of answers) assert.equal(answer.status, kind.status, answer.text)
      }
      // The last requests that were left may still be ending, and jobs may still be reading what was uploaded.
      for (let tries = 0; tries < 600 && listLeftFiles().length > 0; tries++) await setTimeout(50)
      assert.deepEqual(listLeftFiles(), [])
    })
  }
})
