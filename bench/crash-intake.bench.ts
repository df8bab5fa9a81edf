/**
 * Measures how many envelopes of crashes are taken in, beside a node:http server over the same database and beside
 * Spotlight's sidecar. All processes of a contestant, with those of PostgreSQL, run on one core and the client on the
 * other. `BENCH_ENGINES=sqlite` leaves out PostgreSQL.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { recordAim } from './aims.ts'
import { call, token } from './call.ts'
import { createEnvelope } from './crash-envelope.ts'
import { median, printTable } from './measure.ts'
import {
  openTemporaryFolder,
  readTreeCpuTime,
  run,
  runClient,
  type RunningServer,
  serverCore,
  startFairlead,
  startPinned,
} from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = 3
/** The deliveries are divided among this many keys, because one key may send 3,000 a minute. */
const keyCount = 80
/** The number of different stacks that are sent. */
const stackCount = 20

interface Contestant {
  url: string
  paths: string[]
  /** The processes whose CPU time counts, each with those that it started. */
  pids: number[]
  /** Waits until the work that the answers left for later is done. */
  settle?: () => Promise<void>
}

interface Result {
  /** Envelopes per second. */
  rate: number
  /** CPU time per envelope in milliseconds, while envelopes arrive. */
  cpu: number
  /** CPU time per envelope in milliseconds, until all of them have been read. */
  cpuInAll: number
}

await using folder = await openTemporaryFolder()
await using servers = new AsyncDisposableStack()

async function createKeys(url: string): Promise<string[]> {
  await call(url, 'POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const paths: string[] = []
  for (let place = 0; place < keyCount; place++) {
    const { key } = await call<{ key: string }>(url, 'POST', '/v1/applications/1/crashKeys', { name: `Key ${place}` })
    paths.push(`/api/1/envelope/?sentry_key=${key}`)
  }
  return paths
}

/** Sends envelopes over 16 connections with wrk. Returns how many were answered, and how many per second. */
async function sendEnvelopes({ url, paths }: Contestant): Promise<{ count: number; rate: number }> {
  const script = join(folder.path, `send-${Math.random()}.lua`)
  const files = join(folder.path, 'envelopes')
  await writeFile(
    script,
    `local bodies, paths, place = {}, {${paths.map((path) => `"${path}"`).join(',')}}, 0
    for at = 1, ${stackCount} do
      local file = io.open("${files}/" .. at, "rb")
      bodies[at] = file:read("*a")
      file:close()
    end
    local headers = { ["Content-Type"] = "application/x-sentry-envelope", ["Content-Encoding"] = "gzip" }
    request = function()
      place = place + 1
      return wrk.format("POST", paths[place % #paths + 1], headers, bodies[place % #bodies + 1])
    end`,
  )
  const output = await runClient('wrk', ['-t1', '-c16', `-d${seconds}s`, '--timeout', '10s', '-s', script, url])
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200: ${output}`)
  return {
    count: Number(/(\d+) requests in/.exec(output)?.[1]),
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
  }
}

async function waitUntilRead(url: string): Promise<void> {
  for (;;) {
    const { pendingCount } = await call<{ pendingCount: number }>(url, 'GET', '/v1/applications/1/crashIntake')
    if (pendingCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function readCpuTimes(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map(readTreeCpuTime))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

async function measure(contestant: Contestant): Promise<Result> {
  const before = await readCpuTimes(contestant.pids)
  const { count, rate } = await sendEnvelopes(contestant)
  const answered = await readCpuTimes(contestant.pids)
  await contestant.settle?.()
  const settled = await readCpuTimes(contestant.pids)
  return { rate, cpu: (answered - before) / count, cpuInAll: (settled - before) / count }
}

/** Lets the contestants take turns, and returns the medians of each. */
async function measureInTurn(contestants: ReadonlyMap<string, Contestant>): Promise<Map<string, Result>> {
  const results = new Map<string, Result[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of contestants) {
      results.set(name, [...(results.get(name) ?? []), await measure(contestant)])
    }
  }
  return new Map(
    [...results].map(([name, list]) => [
      name,
      {
        rate: median(list.map(({ rate }) => rate)),
        cpu: median(list.map(({ cpu }) => cpu)),
        cpuInAll: median(list.map(({ cpuInAll }) => cpuInAll)),
      },
    ]),
  )
}

async function startServer(name: string): Promise<Contestant> {
  const server = servers.use(await startFairlead(join(folder.path, name), token))
  const { url, pid } = server
  return { url, paths: await createKeys(url), pids: [pid], settle: () => waitUntilRead(url) }
}

async function startBare(database: string): Promise<Contestant> {
  const port = String(await findFreePort())
  const program = join(import.meta.dirname, 'bare-intake.ts')
  const url = `http://127.0.0.1:${port}`
  const server = servers.use(await startPinned(url, [process.execPath, program, port, database]))
  return { url, paths: ['/'], pids: [server.pid] }
}

/** Starts a durable cluster on the core of the servers. Returns its URL and the id of its process. */
async function startCluster(): Promise<{ url: string; pid: number }> {
  const postgres = servers.use(await startPostgres({ isDurable: true }))
  if (!postgres) throw new Error('PostgreSQL is not installed')
  const [pid = ''] = readFileSync(join(postgres.folder, 'postmaster.pid'), 'utf8').split('\n')
  // The processes that it starts for connections run on the same core.
  spawnSync('taskset', ['-a', '-c', '-p', serverCore, pid])
  return { url: postgres.url, pid: Number(pid) }
}

async function addOnPostgres(contestants: Map<string, Contestant>): Promise<void> {
  const { url, pid } = await startCluster()
  const createDatabase = async (name: string) => {
    await using client = await openPostgresClient(url)
    await client.query(`create database ${name}`)
    const database = new URL(url)
    database.pathname = `/${name}`
    return database.href
  }
  process.env.FAIRLEAD_DATABASE_URL = await createDatabase('fairlead')
  const server = await startServer('postgres')
  delete process.env.FAIRLEAD_DATABASE_URL
  const bare = await startBare(await createDatabase('bare'))
  contestants.set('PostgreSQL', { ...server, pids: [...server.pids, pid] })
  contestants.set('node:http, PostgreSQL', { ...bare, pids: [...bare.pids, pid] })
}

/** Installs and starts the development server that Sentry's Spotlight receives envelopes with. */
async function startSidecar(): Promise<RunningServer> {
  const prefix = join(folder.path, 'sidecar')
  await mkdir(prefix)
  // The sidecar fails with a newer Hono than it was built with.
  const packages = ['@spotlightjs/sidecar@2.5.0', 'hono@4.10.3']
  await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--silent', ...packages])
  const port = await findFreePort()
  const program = `import { setupSidecar } from '@spotlightjs/sidecar'; await setupSidecar({ port: ${port} })`
  await writeFile(join(prefix, 'start.mjs'), program)
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, join(prefix, 'start.mjs')])
}

await mkdir(join(folder.path, 'envelopes'))
for (let place = 0; place < stackCount; place++) {
  await writeFile(join(folder.path, 'envelopes', String(place + 1)), createEnvelope(place).gzip)
}
const contestants = new Map([
  ['SQLite', await startServer('sqlite')],
  ['node:http, SQLite', await startBare(join(folder.path, 'bare.db'))],
])
const sidecar = servers.use(await startSidecar())
contestants.set('@spotlightjs/sidecar', { url: sidecar.url, paths: ['/stream'], pids: [sidecar.pid] })
if (process.env.BENCH_ENGINES !== 'sqlite') await addOnPostgres(contestants)
const results = await measureInTurn(contestants)
const rows = [...results].map(([name, { rate, cpu, cpuInAll }]) => [
  name,
  `${Math.round(rate)}/s`,
  `${cpu.toFixed(2)} ms`,
  `${cpuInAll.toFixed(2)} ms`,
  ...(['SQLite', 'PostgreSQL'].includes(name)
    ? [`node:http, ${name}`, '@spotlightjs/sidecar'].map((peer) => (rate / results.get(peer)!.rate).toFixed(2))
    : ['', '']),
])
printTable(
  ['contestant', 'envelopes', 'CPU per envelope', 'with reading it', 'of node:http, ≥ 0.5', 'of the sidecar, ≥ 1'],
  rows,
)
for (const name of ['SQLite', 'PostgreSQL']) {
  const [own, peer] = [results.get(name), results.get(`node:http, ${name}`)]
  if (!own || !peer) continue
  recordAim({
    aim: `${name}: envelopes of crashes, beside node:http`,
    measured: `${Math.round(own.rate)} and ${Math.round(peer.rate)}/s`,
    figure: own.rate / peer.rate,
    atLeast: 0.5,
  })
}
