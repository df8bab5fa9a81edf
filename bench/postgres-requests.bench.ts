/**
 * Measures GET of different builds and of a list over PostgreSQL, beside a bare node:http server that finds token and
 * rows by two prepared statements, in one run: requests per second, CPU time of the server, statements per request, and
 * the latency of one get at a time, which is two round trips of the peer. Three replicas are measured beside three such
 * peers by their CPU time per request, and beside one that has as many connections as each of them, because a server
 * with more connections wakes less often for each request. These processes share one core.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fillBuilds } from './fill-builds.ts'
import { printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, readCpuTime, runClient, type RunningServer, startPinned } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const seconds = 2
const connectionsOfReplica = 6
/** Requests go to so many builds in turn, so that no cache of one answer helps. */
const differentBuilds = 300

await using opened = new AsyncDisposableStack()
const folder = opened.use(await openTemporaryFolder())
const postgres = await startPostgres({ isDurable: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
opened.use(postgres)

const server = opened.use(await startServer(postgres.url))
const replicas = [server]
for (let count = 1; count < 3; count++) replicas.push(opened.use(await startServer(postgres.url)))
const middle = await fillBuilds(postgres.url, 1000)
const program = join(import.meta.dirname, 'bare-postgres.ts')
const startBare = async () => {
  const port = await findFreePort()
  const command = [process.execPath, program, String(port), postgres.url]
  return opened.use(await startPinned(`http://127.0.0.1:${port}`, command))
}
const bare = await startBare()
const bares = [bare, await startBare(), await startBare()]
const script = join(folder.path, 'builds.lua')
await writeFile(
  script,
  `local n = 0
request = function()
  n = n + 1
  return wrk.format('GET', '/v1/builds/' .. (${middle - differentBuilds / 2} + n % ${differentBuilds}))
end`,
)

async function startServer(databaseUrl: string): Promise<RunningServer> {
  const own = await findFreePort()
  const main = join(import.meta.dirname, '../apps/server/src/main.ts')
  return startPinned(`http://127.0.0.1:${own}`, [process.execPath, main], {
    env: {
      FAIRLEAD_PORT: String(own),
      FAIRLEAD_DATA_DIR: join(folder.path, 'data'),
      FAIRLEAD_DATABASE_URL: databaseUrl,
      FAIRLEAD_INITIAL_API_TOKEN: token,
      FAIRLEAD_LOG_LEVEL: 'warn',
    },
  })
}

interface Figures {
  rate: number
  /** Microseconds of the server process per request. */
  cost: number
}

async function measure(target: RunningServer, path: string): Promise<Figures> {
  const before = await readCpuTime(target.pid)
  const { rate, requests } = await load(target, path, 16)
  return { rate, cost: ((await readCpuTime(target.pid)) - before) / requests }
}

/** Measures servers at once. Each has a third of the connections, so that one has as much to do as one of three. */
async function measureAll(targets: RunningServer[], path: string): Promise<Figures> {
  const readAll = async () => (await Promise.all(targets.map(({ pid }) => readCpuTime(pid)))).reduce((a, b) => a + b)
  const before = await readAll()
  const results = await Promise.all(targets.map((target) => load(target, path, connectionsOfReplica)))
  const sum = (name: 'rate' | 'requests') => results.reduce((total, one) => total + one[name], 0)
  return { rate: sum('rate'), cost: ((await readAll()) - before) / sum('requests') }
}

async function load({ url }: RunningServer, path: string, connections: number) {
  const target = path === '' ? ['-s', script, url] : [url + path]
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-H', `X-Service-Token: ${token}`]
  const output = await runClient('wrk', [...how, ...target])
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`${url}${path} did not answer all with 200: ${output}`)
  const [, latency, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(output) ?? []
  return {
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    latency: Number(latency) * (unit === 'us' ? 1 : unit === 'ms' ? 1000 : 1_000_000),
  }
}

/** Counts the statements that PostgreSQL runs for one request, when the server is warm. */
async function countStatements(path: string): Promise<number> {
  await using client = await openPostgresClient(postgres?.url ?? '')
  await client.query("alter system set log_statement = 'all'")
  await client.query('select pg_reload_conf()')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const log = join(postgres?.folder ?? '', 'log')
  const count = () => readFileSync(log, 'utf8').match(/LOG: {2}(execute|statement)/g)?.length ?? 0
  const before = count()
  for (let turn = 0; turn < 20; turn++) {
    await fetch(server.url + path, { headers: { 'X-Service-Token': token } }).then((answer) => answer.text())
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  const statements = (count() - before) / 20
  await client.query('alter system reset log_statement')
  await client.query('select pg_reload_conf()')
  return statements
}

const list = '/v1/applications/1/builds?limit=50'
const figures = new Map<string, Figures[]>()
const record = (name: string, target: RunningServer, path: string) => async () => {
  const one = await measure(target, path)
  figures.set(name, [...(figures.get(name) ?? []), one])
  return one.rate
}
const rates = await takeTurns(rounds, {
  bareGet: record('bareGet', bare, ''),
  get: record('get', server, ''),
  bareList: record('bareList', bare, list),
  list: record('list', server, list),
})
const recordAll = (name: string, servers: RunningServer[], path: string) => async () => {
  const one = await measureAll(servers, path)
  figures.set(name, [...(figures.get(name) ?? []), one])
  return one.rate
}
const together = await takeTurns(rounds, {
  get: recordAll('getOfOne', [server], ''),
  getOfThree: recordAll('getOfThree', replicas, ''),
  bareGet: recordAll('bareGetOfOne', [bare], ''),
  bareGetOfThree: recordAll('bareGetOfThree', bares, ''),
  list: recordAll('listOfOne', [server], list),
  listOfThree: recordAll('listOfThree', replicas, list),
  bareList: recordAll('bareListOfOne', [bare], list),
  bareListOfThree: recordAll('bareListOfThree', bares, list),
})
const latency = await takeTurns(rounds, {
  get: async () => (await load(server, '', 1)).latency,
  bareGet: async () => (await load(bare, '', 1)).latency,
})
const cost = (name: string) => Math.min(...(figures.get(name) ?? []).map((one) => one.cost))
const toRows = (work: string, own: string, peer: string, rate: number, peerRate: number, statements: number) => [
  [work, `${Math.round(rate)}/s`, `${Math.round(peerRate)}/s`, (rate / peerRate).toFixed(2), String(statements)],
  [
    `CPU of ${work}`,
    `${cost(own).toFixed(0)} µs`,
    `${cost(peer).toFixed(0)} µs`,
    (cost(peer) / cost(own)).toFixed(2),
    '',
  ],
]
printTable(
  ['work', 'Fairlead', 'node:http and pg', 'ratio', 'statements'],
  [
    ...toRows('get a build', 'get', 'bareGet', rates.get, rates.bareGet, await countStatements(`/v1/builds/${middle}`)),
    ...toRows('list 50 builds', 'list', 'bareList', rates.list, rates.bareList, await countStatements(list)),
    [
      'latency of one get at a time',
      `${latency.get.toFixed(0)} µs`,
      `${latency.bareGet.toFixed(0)} µs`,
      (latency.get / latency.bareGet).toFixed(2),
      '',
    ],
  ],
)
console.log()
const toReplicaRow = (work: string, three: string, one: string, rate: number, rateOfOne: number) => [
  work,
  `${cost(three).toFixed(0)} µs`,
  `${cost(one).toFixed(0)} µs`,
  (cost(three) / cost(one)).toFixed(2),
  `${Math.round(rate)}/s`,
  `${Math.round(rateOfOne)}/s`,
]
printTable(
  ['CPU time of each request', 'three replicas', 'one', 'ratio', 'three together', 'one'],
  [
    toReplicaRow('get a build', 'getOfThree', 'getOfOne', together.getOfThree, together.get),
    toReplicaRow('the peer', 'bareGetOfThree', 'bareGetOfOne', together.bareGetOfThree, together.bareGet),
    toReplicaRow('list 50 builds', 'listOfThree', 'listOfOne', together.listOfThree, together.list),
    toReplicaRow('the peer', 'bareListOfThree', 'bareListOfOne', together.bareListOfThree, together.bareList),
  ],
)
