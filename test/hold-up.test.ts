/**
 * One workspace and clients without an account make every attack at once, while another workspace works. The short form
 * is part of `npm test`, on both databases. It asserts answers and memory only, because tests share the machine.
 * `FAIRLEAD_TEST_HOLD_UP=60` attacks for that many seconds and asserts the figures that the server is built for.
 * `FAIRLEAD_TEST_HOLD_UP_BEHIND=true` puts the documented nginx in front and an S3 server behind.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { openDatabase } from '../apps/server/src/db/open.ts'
import { generateCode } from '../apps/server/src/testing/authenticator.ts'
import { Browser, password } from '../apps/server/src/testing/browser.ts'
import { createSecondWorkspace } from '../apps/server/src/testing/second-workspace.ts'
import { createTestDatabase } from '../apps/server/src/testing/test-database.ts'
import { call, type CallOptions } from '../apps/server/src/testing/start-server.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { startRadosgw } from '../scripts/radosgw.ts'
import { startHostileMailServer } from './attacks/hostile-mail-server.ts'
import { startDocumentedNginx } from './processes/documented-nginx.ts'
import { type AttackedWorkspace, type AttackOptions, startAttacks } from './attacks/start-attacks.ts'
import { type Client, createClient } from './attacks/client.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readJson } from '../scripts/read-json.ts'

const isBehind = process.env.FAIRLEAD_TEST_HOLD_UP_BEHIND === 'true'
const isLong = process.env.FAIRLEAD_TEST_HOLD_UP !== undefined
const attackMs = Number(process.env.FAIRLEAD_TEST_HOLD_UP ?? '5') * 1000
/** How long a busy machine may take until each attack was answered once. */
const longestWaitMs = 180_000
const bounds = isLong
  ? { healthMs: 500, requestMs: 2000, megabytes: 1024 }
  : { healthMs: Number.POSITIVE_INFINITY, requestMs: Number.POSITIVE_INFINITY, megabytes: 1536 }

const metricsToken = 'metrics-of-the-attacked-server'

const crash = `Incident Identifier: 1
Thread 0 Crashed:
0   Shop   0x0000000104d48130 0x104d48000 + 304

Binary Images:
0x104d48000 - 0x104d67fff Shop arm64  <0123456789abcdef0123456789abcdef> /app/Shop
`

it('no client can hold up the others', { timeout: attackMs + 300_000 }, async (test) => {
  await using folder = await openTemporaryFolder()
  await using database = await createTestDatabase()
  await using surroundings = new AsyncDisposableStack()
  const mailServer = isLong ? surroundings.use(await startHostileMailServer()) : null
  const front = isBehind ? await findFreePort() : undefined
  await using server = await startServerProcess({
    dataDir: folder.path,
    env: {
      ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
      ...(front !== undefined && (await startStore(surroundings))),
      ...(mailServer && { FAIRLEAD_SMTP_URL: mailServer.url }),
      FAIRLEAD_LOG_LEVEL: 'error',
      FAIRLEAD_METRICS_TOKEN: metricsToken,
    },
  })
  if (front !== undefined) surroundings.use(await startDocumentedNginx(front, [server.url], 4096))
  const url = front === undefined ? server.url : `http://127.0.0.1:${front}`
  const other = { url, dataDir: folder.path, databaseUrl: database.url }
  const victim = await prepare(createClient(url, '127.0.0.1'), await createSecondWorkspace(other))
  const { client: attacker, ...attacked } = await prepare(createClient(url, '127.0.0.2'), token)

  const { address } = attacker
  const account = isLong ? await createProtectedAccount(other) : null
  const attacks = startAttacks({ url, address, workspace: attacked, inflatedMegabytes: isLong ? 512 : 128, account })
  // A busy machine may need long for the first answer of the dearest attack, and what never ran would prove nothing.
  let isOver = false
  const over = Promise.all([
    Promise.race([attacks.answered, setTimeout(longestWaitMs, undefined, { ref: false })]),
    setTimeout(attackMs),
  ]).then(() => (isOver = true))
  const [measured] = await Promise.all([measure(victim, server.pid, () => isOver), over])
  const counts = await attacks.stop()
  test.diagnostic(JSON.stringify({ ...measured, mailConnections: mailServer?.connections(), attacks: counts }))
  assert.notEqual(mailServer?.connections(), 0, 'the hostile mail server was never asked')

  assert.ok(measured.healthMs < bounds.healthMs, `/healthz took ${measured.healthMs} ms`)
  assert.ok(measured.requestMs < bounds.requestMs, `${measured.slowest} took ${measured.requestMs} ms`)
  assert.ok(measured.megabytes < bounds.megabytes, `the process had ${measured.megabytes} MB`)
  for (const [name, { answered }] of Object.entries(counts)) assert.ok(answered > 0, `${name} never reached the server`)
  for (const [name, { failed }] of Object.entries(counts)) assert.equal(failed, 0, `${name} got answers of 500`)
  assert.ok(counts['calls of agents']?.statuses[200], 'no agent got an answer')
  assert.doesNotMatch(server.output(), /"level":60/)
})

/** Starts an S3 server, and returns the settings of a server over it that has a front server. */
async function startStore(surroundings: AsyncDisposableStack): Promise<Record<string, string>> {
  const s3 = await startRadosgw()
  assert.ok(s3, 'Ceph is not installed')
  surroundings.use(s3)
  return {
    ...s3.environment,
    FAIRLEAD_STORAGE_URL: await s3.createBucket('attacked'),
    // At a loopback address, the door for agents would refuse the name of the upstream, which nginx sends as Host.
    FAIRLEAD_BASE_URL: 'http://builds.example.com',
    FAIRLEAD_TRUST_PROXY: 'loopback',
  }
}

/** Creates an account with a second factor. */
async function createProtectedAccount(server: {
  url: string
  dataDir: string
  databaseUrl: string | null
}): Promise<AttackOptions['account']> {
  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(server.url, method, path, { token, ...options })
  const email = 'ada@example.com'
  const invited = await send('POST', '/v1/invitations', { json: { email, role: 'admin' } })
  assert.equal(invited.status, 201, invited.text)
  // The mail server takes no mail, so the secret of the link stays in the database.
  const { db } = await openDatabase(server)
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() }
  const { secret } = await db.selectFrom('mails').select('secret').executeTakeFirstOrThrow()
  const ada = new Browser({ call: send })
  await ada.start('/v1/invitations/accept', { token: secret, name: 'Ada', password })
  const { json } = await ada.call('POST', '/v1/twoFactor', { json: { password } })
  const confirmed = await ada.call('POST', '/v1/twoFactor/confirm', { json: { code: generateCode(json.secret) } })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { email, password }
}

type WithClient = AttackedWorkspace & { client: Client }

/** Creates an application for each platform and one build. */
async function prepare(client: Client, ownToken: string): Promise<WithClient> {
  const send = async (path: string, options: object) => {
    const answer = await client.send(path, { token: ownToken, method: 'POST', ...options })
    assert.ok(answer.status < 300, answer.text)
    return readJson<{ id: number; installUrl: string }>(answer.text)
  }
  const json = (alias: string, platform: string) => ({ json: { name: alias, alias, platform } })
  const android = await send('/v1/applications', json('android', 'android'))
  const ios = await send('/v1/applications', json('ios', 'ios'))
  const body = writeApk({ packageName: 'com.example.attack' })
  const build = await send('/v2/builds', { headers: { 'X-Service-Application-Alias': 'android' }, body })
  const installPath = new URL(build.installUrl).pathname
  return { client, token: ownToken, android: android.id, ios: ios.id, buildId: build.id, installPath }
}

interface Measured {
  /** The duration of the slowest answer of `/healthz`, in milliseconds. */
  healthMs: number
  /** That of a bare server of Node in a process of its own, asked in turn with it: the part that the machine causes. */
  bareMs: number
  requestMs: number
  slowest: string
  /** The longest delay of the server's event loop in milliseconds: the part of the latency that the server causes. */
  loopLagMs: number
  /** The largest resident set of the process, in megabytes. */
  megabytes: number
  requests: number
}

/** Sends the small requests of the other workspace until the attacks are over, and measures them. */
async function measure({ client, ...own }: WithClient, pid: number, isOver: () => boolean): Promise<Measured> {
  const measured: Measured = {
    healthMs: 0,
    bareMs: 0,
    requestMs: 0,
    slowest: '',
    loopLagMs: 0,
    megabytes: 0,
    requests: 0,
  }
  const bareServer = fork(new URL('./processes/bare-server.ts', import.meta.url))
  using _bareServer = { [Symbol.dispose]: () => bareServer.kill() }
  const [port]: number[] = await once(bareServer, 'message')
  const bareClient = createClient(`http://127.0.0.1:${port}`, client.address)
  const health = async () => {
    while (!isOver()) {
      // Each request has a connection of its own, as those of a supervisor have.
      const { status, durationMs } = await client.send('/healthz', { headers: { Connection: 'close' } })
      assert.equal(status, 200)
      measured.healthMs = Math.max(measured.healthMs, Math.round(durationMs))
      const bare = await bareClient.send('/', { headers: { Connection: 'close' } })
      measured.bareMs = Math.max(measured.bareMs, Math.round(bare.durationMs))
      measured.megabytes = Math.max(measured.megabytes, readMegabytes(pid))
      await setTimeout(50)
    }
  }
  const apk = (versionCode: number) => writeApk({ packageName: 'com.example.attack', versionCode })
  const headers = { 'X-Service-Application-Alias': 'android' }
  const requests = [
    () => client.send('/v1/applications', own),
    () => client.send(`/v1/builds/${own.buildId}`, own),
    () => client.send(`/v1/applications/${own.android}/builds?limit=50&q=nothing`, own),
    () => client.send(own.installPath),
    (round: number) => client.send('/v2/builds', { ...own, method: 'POST', headers, body: apk(round + 10) }),
    () => client.send(`/v1/applications/${own.ios}/symbolicate`, { ...own, method: 'POST', body: crash }),
  ]
  const work = async () => {
    for (let round = 0; !isOver(); round++) {
      for (const [index, send] of requests.entries()) {
        const { status, durationMs, text } = await send(round)
        assert.ok(status < 300, `request ${index}: ${status} ${text}`)
        measured.requests++
        if (durationMs <= measured.requestMs) continue
        measured.requestMs = Math.round(durationMs)
        measured.slowest = `request ${index}`
      }
    }
  }
  await Promise.all([health(), work()])
  measured.loopLagMs = await readLoopLag(client)
  return measured
}

async function readLoopLag(client: Client): Promise<number> {
  const { status, text } = await client.send('/metrics', { headers: { Authorization: `Bearer ${metricsToken}` } })
  assert.equal(status, 200)
  return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? 'NaN') * 1000)
}

/** Reads the resident set of a process in megabytes, or 0 on systems without /proc. */
function readMegabytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}
