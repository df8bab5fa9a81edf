/** The worker thread of `startAttacks`. */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { writeApk } from '@fairlead/binary/fixture'
import { type Client, createClient, type Received } from './client.ts'
import {
  writeHostileApk,
  writeHostileBundles,
  writeHostileDsyms,
  writeHostileFeedback,
  writeHostileIpa,
  writeHostileNotes,
  writeHostileReports,
  writeHostileTestReports,
} from './hostile-files.ts'
import type { AttackedWorkspace, AttackMessage, AttackOptions, Count } from './start-attacks.ts'
import { readJson } from '../../scripts/read-json.ts'

/** An answer that no client may get. */
class ForbiddenAnswer extends Error {}

/** Headers by which programs in front of a server tell it, and hear from it, what clients must not. */
const forgedHeaders = [
  { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' },
  { 'X-Accel-Redirect': '/internal/aa/secret', 'X-Sendfile': '/etc/passwd', 'X-Sendfile-Type': 'X-Accel-Redirect' },
  { 'X-Original-URL': '/v1/auditEvents', 'X-Rewrite-URL': '/v1/auditEvents', 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Forwarded-For': `evil.example, ${'1.2.3.4, '.repeat(200)}::1` },
]

// Only `startAttacks` starts this thread, and it gives these options.
const { url, address, workspace, inflatedMegabytes, account }: AttackOptions = workerData
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
const tell = (message: AttackMessage) => parentPort?.postMessage(message)
tell(await attack(createClient(url, address), workspace, stopping.signal))

/** Repeats every attack until the signal, and counts the answers of each. */
async function attack(client: Client, own: AttackedWorkspace, signal: AbortSignal): Promise<Record<string, Count>> {
  const { android, ios, buildId, installPath } = own
  const counts: Record<string, Count> = {}
  let isTold = false
  const send = (path: string, options: object = {}) => client.send(path, { token: own.token, ...options })
  const upload = (path: string, alias: string, body: Buffer) =>
    send(path, { method: 'POST', headers: { 'X-Service-Application-Alias': alias }, body })
  const repeat = async (name: string, once: (round: number) => Promise<{ status: number } | undefined>) => {
    const count = (counts[name] ??= createCount())
    for (let round = 0; !signal.aborted; round++) {
      const startedAt = performance.now()
      const answer = await once(round).catch((error: unknown) => {
        if (error instanceof ForbiddenAnswer) count.failed++
        return undefined
      })
      if (answer) {
        count.statuses[answer.status] = (count.statuses[answer.status] ?? 0) + 1
        count.longestMs = Math.max(count.longestMs, Math.round(performance.now() - startedAt))
      }
      // A refused connection is tried again after a pause, so that the attack does not spend all CPU time on refusals.
      if (answer === undefined) await setTimeout(10)
      else count.answered++
      if (!isTold && Object.values(counts).every(({ answered }) => answered > 0)) {
        isTold = true
        tell('answered')
      }
      if (answer?.status === 500) count.failed++
    }
  }

  const reports = writeHostileReports()
  const ipa = writeHostileIpa(inflatedMegabytes)
  const dsyms = writeHostileDsyms(inflatedMegabytes)
  const tests = writeHostileTestReports()
  const feedback = writeHostileFeedback('b')
  const form = { 'Content-Type': 'multipart/form-data; boundary=b', Accept: 'application/json' }
  const plist = Buffer.from(`<plist><dict>${'<key>a</key><dict>'.repeat(3000)}`)
  const call = {
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'list_builds', arguments: { application: android } },
  }
  const agent = { Authorization: `Bearer ${own.token}`, Accept: 'application/json, text/event-stream' }
  const apks = [2, 3, 4, 5].map(writeHostileApk)
  const searched = await upload(
    '/v2/builds',
    'android',
    writeApk({ packageName: 'com.example.attack', versionCode: 9 }),
  )
  const { id: searchedId } = readJson<{ id: number }>(searched.text)
  const setNotes = (id: number, releaseNotes: string) =>
    send(`/v2/builds/${id}`, { method: 'PATCH', json: { releaseNotes } })
  await setNotes(searchedId, 'a'.repeat(65_000))
  await setNotes(buildId, writeHostileNotes())

  const reportTo = `/v1/applications/${ios}/symbolicate`
  const running = [0, 1, 2].map((offset) =>
    repeat('crash reports', (round) =>
      send(reportTo, { method: 'POST', body: reports[(round + offset) % reports.length] }),
    ),
  )
  running.push(
    repeat('abandoned crash reports', async (round) => {
      const hangUp = AbortSignal.timeout(50 + (round % 5) * 100)
      await send(reportTo, { method: 'POST', body: reports[round % reports.length], signal: hangUp }).catch(() => {})
      return { status: 499 }
    }),
    ...[1, 2, 3, 4].map(() => repeat('notes', () => client.send(installPath))),
    repeat('permissions', (round) => upload('/v2/builds', 'android', apks[round % apks.length] ?? Buffer.alloc(0))),
    repeat('lists', () => send(`/v1/applications/${android}/builds?limit=200`)),
    ...[1, 2].map(() => repeat('searches', () => send(`/v1/applications/${android}/builds?q=${'a'.repeat(190)}b`))),
    ...[1, 2, 3, 4].map(() => repeat('inflating IPAs', () => upload('/v2/builds', 'ios', ipa))),
    ...[1, 2].map(() => repeat('inflating dSYMs', () => upload('/v2/symbolsFiles', 'ios', dsyms))),
    ...[1, 2].map((offset) =>
      repeat('test reports', (round) =>
        upload('/v1/testReports', 'android', tests[(round + offset) % tests.length] ?? Buffer.alloc(0)),
      ),
    ),
    ...[1, 2].map(() =>
      repeat('searches of tests', () => send(`/v1/applications/${android}/tests?q=${'c1'.repeat(40)}`)),
    ),
    ...[1, 2].map(() =>
      repeat('feedback', () =>
        client.send(`${installPath}/feedback`, { method: 'POST', headers: form, body: feedback }),
      ),
    ),
    ...[1, 2].map(() =>
      repeat('answers of devices', () => client.send('/devices/none', { method: 'POST', body: plist })),
    ),
    ...[1, 2].map((id) =>
      repeat('calls of agents', () => send('/mcp', { method: 'POST', headers: agent, json: { ...call, id } })),
    ),
    repeat('streams of events', async () => {
      const hangUp = AbortSignal.timeout(200)
      await send('/v1/events', { signal: hangUp }).catch(() => {})
      return { status: 499 }
    }),
    abandonDeliveries(counts, signal),
    ...[1, 2].map(() => repeat('odd paths', () => client.send('/assets/.'))),
    holdConnections(counts, signal),
  )
  if (account !== null) {
    const bundles = writeHostileBundles()
    running.push(
      ...[1, 2].map((offset) =>
        repeat('result bundles', (round) =>
          upload('/v1/testReports', 'ios', bundles[(round + offset) % bundles.length] ?? Buffer.alloc(0)),
        ),
      ),
      repeat('guesses of second factors', async () => {
        const code = String(Math.floor(Math.random() * 1e6)).padStart(6, '0')
        const answer = await client.send('/v1/session', { method: 'POST', json: { ...account, code } })
        // One of a million codes is right, and the server counts far fewer guesses than that.
        if (answer.status < 300) throw new ForbiddenAnswer('a guessed code was taken')
        return answer
      }),
      repeat('forged headers', async (round) => {
        const answer = await send(`/v1/builds/${buildId}`, { headers: forgedHeaders[round % forgedHeaders.length] })
        const said = JSON.stringify([answer.headers, answer.text])
        if (/evil\.example|x-accel-redirect|x-sendfile/i.test(said)) throw new ForbiddenAnswer(said)
        return answer
      }),
      repeat('changed addresses of files', () => changeFileAddress(send, buildId)),
      repeat('mails', (round) =>
        send('/v1/invitations', { method: 'POST', json: { email: `guest-${round}@example.com`, role: 'viewer' } }),
      ),
    )
  }
  await Promise.all(running)
  return counts
}

function createCount(): Count {
  return { answered: 0, failed: 0, statuses: {}, longestMs: 0 }
}

type Send = (path: string, options?: object) => Promise<Received>

/** With an object store, a build is at a signed address. Tries to do more with it than to read that build. */
async function changeFileAddress(send: Send, buildId: number): Promise<{ status: number }> {
  const path = `/v1/builds/${buildId}/binary?redirect=true`
  const answer = await send(path, { headers: { 'X-Accel-Redirect': '/', Range: 'bytes=0-99' } })
  const { location } = answer.headers
  if (location === undefined) return answer
  const change = (edit: (url: URL) => void) => {
    const url = new URL(location)
    edit(url)
    return fetch(url, { headers: { Range: 'bytes=0-99' } })
  }
  const attempts = [
    fetch(location, { method: 'PUT', body: 'evil' }),
    fetch(location, { method: 'DELETE' }),
    change((url) => (url.pathname = url.pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0')))),
    change((url) => (url.pathname = url.pathname.replace(/[^/]*$/, ''))),
    change((url) => url.searchParams.set('X-Amz-Expires', '604800')),
    change((url) => url.searchParams.delete('X-Amz-Signature')),
    change((url) => url.searchParams.set('response-content-type', 'text/html')),
  ]
  for (const tried of await Promise.all(attempts)) {
    await tried.body?.cancel()
    if (tried.status < 400) throw new ForbiddenAnswer(`${tried.url} answered ${tried.status}`)
  }
  const whole = await fetch(location)
  await whole.body?.cancel()
  return whole.status === 200 ? answer : { status: 500 }
}

/** Sends the start of crash deliveries of megabytes without an account, and hangs up while they wait for their turn. */
async function abandonDeliveries(counts: Record<string, Count>, signal: AbortSignal): Promise<void> {
  const count = (counts['abandoned deliveries'] ??= createCount())
  const { hostname, port } = new URL(url)
  while (!signal.aborted) {
    const socket = connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${6 + (count.answered % 40)}` })
    socket.on('error', () => {}).once('connect', () => count.answered++)
    const path = `/api/1/envelope/?sentry_key=${'0'.repeat(32)}`
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n`)
    socket.write(Buffer.alloc(1_200_000, '#'))
    await setTimeout(20 + (count.answered % 5) * 20)
    socket.destroy()
  }
}

/** Holds hundreds of connections without an account, which send their body one byte at a time, in chunks or not. */
async function holdConnections(counts: Record<string, Count>, signal: AbortSignal): Promise<void> {
  const count = (counts['slow bodies'] ??= createCount())
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let index = 0; index < 600; index++) {
    const socket = connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${3 + (index % 3)}` })
    socket.on('error', () => {}).once('connect', () => count.answered++)
    const length = index % 2 === 0 ? 'Content-Length: 16000' : 'Transfer-Encoding: chunked'
    socket.write(`POST /v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`)
    sockets.push(socket)
  }
  while (!signal.aborted) {
    for (const [index, socket] of sockets.entries())
      if (socket.writable) socket.write(index % 2 === 0 ? ' ' : '1\r\n \r\n')
    await setTimeout(500, undefined, { signal }).catch(() => {})
  }
  for (const socket of sockets) socket.destroy()
}
