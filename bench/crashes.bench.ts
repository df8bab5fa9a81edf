/**
 * Measures the intake of crashes beside node:http and Spotlight's sidecar, the cost of `secure_delete`, and hostile
 * payloads.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findCrashFixtures } from '../apps/server/src/testing/crashes.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { createEnvelope } from './crash-envelope.ts'
import { median, printTable, takeTurns } from './measure.ts'
import { findFreePort, openTemporaryFolder, run, runClient, startFairlead, startPinned } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 3
const seconds = 3
/** The deliveries are divided among this many keys, because one key may send 3,000 a minute. */
const keyCount = 80
/** The number of different stacks that are sent. */
const stackCount = 20

await using folder = await openTemporaryFolder()
const envelopes = Array.from({ length: stackCount }, (_, seed) => createEnvelope(seed))
const rows: (string | number)[][] = []

/** Calls the API of a server with the administrator's token. */
async function call<Answer>(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

async function createKeys(url: string): Promise<string[]> {
  await call(url, 'POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const paths: string[] = []
  for (let place = 0; place < keyCount; place++) {
    const { key } = await call<{ key: string }>(url, 'POST', '/v1/applications/1/crashKeys', { name: `Key ${place}` })
    paths.push(`/api/1/envelope/?sentry_key=${key}`)
  }
  return paths
}

/** Measures envelopes per second over 16 connections, with wrk on the other core. */
async function countEnvelopes(url: string, paths: string[]): Promise<number> {
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
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}

async function waitUntilRead(url: string): Promise<void> {
  for (;;) {
    const { pendingCount } = await call<{ pendingCount: number }>(url, 'GET', '/v1/applications/1/crashIntake')
    if (pendingCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Waits until the server has read all deliveries, so that it does not slow down the next contestant. */
async function countThenWait(url: string, paths: string[]): Promise<number> {
  const rate = await countEnvelopes(url, paths)
  await waitUntilRead(url)
  return rate
}

async function measureIntake(): Promise<void> {
  await mkdir(join(folder.path, 'envelopes'))
  for (const [place, { gzip }] of envelopes.entries()) {
    await writeFile(join(folder.path, 'envelopes', String(place + 1)), gzip)
  }
  await using servers = new AsyncDisposableStack()
  const sqlite = servers.use(await startFairlead(join(folder.path, 'sqlite'), token))
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is not installed')
  servers.use(postgres)
  process.env.FAIRLEAD_DATABASE_URL = postgres.url
  const onPostgres = servers.use(await startFairlead(join(folder.path, 'postgres'), token))
  delete process.env.FAIRLEAD_DATABASE_URL
  const barePort = String(await findFreePort())
  const bare = servers.use(
    await startPinned(`http://127.0.0.1:${barePort}`, [
      process.execPath,
      join(import.meta.dirname, 'bare-intake.ts'),
      barePort,
      join(folder.path, 'bare.db'),
    ]),
  )
  const sidecar = servers.use(await startSidecar())
  const [sqlitePaths, postgresPaths] = [await createKeys(sqlite.url), await createKeys(onPostgres.url)]
  const rates = await takeTurns(rounds, {
    bare: () => countEnvelopes(bare.url, ['/']),
    sqlite: () => countThenWait(sqlite.url, sqlitePaths),
    sidecar: () => countEnvelopes(sidecar.url, ['/stream']),
    postgres: () => countThenWait(onPostgres.url, postgresPaths),
  })
  for (const [name, rate] of [
    ['SQLite', rates.sqlite],
    ['PostgreSQL', rates.postgres],
  ] as const) {
    for (const [peer, peerRate, wanted] of [
      ['node:http that unpacks, parses, inserts', rates.bare, '≥ 0.5'],
      ['@spotlightjs/sidecar', rates.sidecar, '≥ 1'],
    ] as const) {
      const beside = `${peer}, ${Math.round(peerRate)}/s`
      rows.push([`envelopes, durable, ${name}`, `${Math.round(rate)}/s`, beside, toRatio(rate, peerRate), wanted])
    }
  }
}

/** Installs and starts the development server that Sentry's Spotlight receives envelopes with. */
async function startSidecar() {
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

/** Inserts bodies and deletes them again as the inbox does: 10 rows a commit, 50 deleted at once. */
async function measureSecureDelete(): Promise<void> {
  const [{ gzip }] = envelopes as [ReturnType<typeof createEnvelope>]
  let file = 0
  const fill = (isSecure: boolean) => async () => {
    using database = new DatabaseSync(join(folder.path, `secure-${file++}.db`))
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
    database.exec(`pragma secure_delete = ${isSecure ? 'on' : 'off'}`)
    database.exec('create table inbox (id integer primary key, body blob not null)')
    const insert = database.prepare('insert into inbox (body) values (?)')
    const before = process.cpuUsage()
    for (let row = 0; row < 3000; row += 50) {
      for (let commit = 0; commit < 5; commit++) {
        database.exec('begin')
        for (let place = 0; place < 10; place++) insert.run(gzip)
        database.exec('commit')
      }
      database.exec(`delete from inbox where id <= ${row + 50}`)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const costs = await takeTurns(7, { on: fill(true), off: fill(false) })
  const on = `${costs.on.toFixed(0)} ms`
  rows.push([
    '3,000 deliveries in and out, secure_delete on',
    on,
    `off, ${costs.off.toFixed(0)} ms`,
    toRatio(costs.on, costs.off),
    '',
  ])
}

/** Returns the resident memory of a process and of its worker processes, in MiB. */
function readMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + (existsSync(`/proc/${child}`) ? readMemory(Number(child)) : 0), own)
}

/** Sends every payload of the fixtures in order, and records the time of each answer and the memory in use. */
async function measurePayloads(fixtures: string): Promise<void> {
  await using server = await startFairlead(join(folder.path, 'payloads'), token, '0,1')
  await call(server.url, 'POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const { key } = await call<{ key: string }>(server.url, 'POST', '/v1/applications/1/crashKeys', { name: 'Bench' })
  const fill = (text: string) => text.replaceAll('{app}', '1').replaceAll('{key}', key)
  const hostile = readFileSync(join(fixtures, 'hostile/MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1)
  const requests = hostile
    .map((line) => line.split('\t'))
    .filter(([file = '']) => !file.endsWith('.http'))
    .map(([file = '', method = 'POST', path = '', headers = '{}']) => {
      const given = JSON.parse(fill(headers)) as Record<string, string>
      return { group: 'hostile', file: `hostile/${file}`, method, path: fill(path), headers: given }
    })
  const truth = JSON.parse(readFileSync(join(fixtures, 'truth.json'), 'utf8')) as Record<string, { protocol: string }>
  const paths: Record<string, string> = {
    'sentry-envelope': `/api/1/envelope/?sentry_key=${key}`,
    'sentry-store': `/api/1/store/?sentry_key=${key}`,
    appcenter: '/api/appcenter/logs?api-version=1.0.0',
    raw: '/v1/applications/1/crashes',
  }
  const types: Record<string, string> = {
    'acra-form': 'application/x-www-form-urlencoded',
    'acra-multipart': 'multipart/form-data; boundary=%&ACRA_REPORT_DIVIDER&%',
  }
  for (const [file, { protocol }] of Object.entries(truth)) {
    const headers = {
      'App-Secret': key,
      'X-Service-Crash-Key': key,
      'Content-Type': types[protocol] ?? 'application/json',
    }
    requests.push({ group: 'of SDKs', file, method: 'POST', path: paths[protocol] ?? `/api/acra/${key}`, headers })
  }
  const idle = readMemory(server.pid)
  let peak = idle
  const watching = setInterval(() => (peak = Math.max(peak, readMemory(server.pid))), 5)
  const times = new Map<string, { ms: number; file: string }[]>()
  for (const { group, file, method, path, headers } of requests) {
    const body = readFileSync(join(fixtures, file))
    const started = performance.now()
    const answer = await fetch(server.url + path, { method, headers, body: method === 'GET' ? null : body })
    await answer.arrayBuffer()
    if (answer.status >= 500) throw new Error(`${file}: ${answer.status}`)
    const list = times.get(group) ?? []
    list.push({ ms: performance.now() - started, file })
    times.set(group, list)
  }
  clearInterval(watching)
  for (const [group, list] of times) {
    const slowest = list.toSorted((one, other) => other.ms - one.ms)[0]!
    const middle = `median ${median(list.map(({ ms }) => ms)).toFixed(1)} ms`
    rows.push([
      `${list.length} payloads ${group}`,
      `${slowest.ms.toFixed(0)} ms`,
      `${slowest.file}, ${middle}`,
      '',
      '≤ 1 s',
    ])
  }
  rows.push([
    'memory of all processes above idle',
    `${(peak - idle).toFixed(0)} MiB`,
    `idle ${idle.toFixed(0)} MiB`,
    '',
    '≤ 100 MB',
  ])
}

function toRatio(one: number, other: number): string {
  return (one / other).toFixed(2)
}

await measureSecureDelete()
const fixtures = findCrashFixtures()
if (fixtures !== undefined && globSync('hostile/*', { cwd: fixtures }).length > 0) await measurePayloads(fixtures)
await measureIntake()
printTable(['work', 'Fairlead', 'compared with', 'ratio', 'wanted'], rows)
