/**
 * Measures GET of different builds and of a list over PostgreSQL, beside a bare node:http server that finds token and
 * rows by two prepared statements, in one run: requests per second, CPU time of the server, statements per request, and
 * the latency of one get at a time, which is two round trips of the peer. Then three replicas beside one alone, by CPU
 * time per request. They are asked in turn: at once, they would share a core, and each would have a third of the
 * requests for the answers that it makes once a minute. The CPU time of all three counts, also of those that wait.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { recordAim } from './aims.ts'
import { fillBuilds } from './fill-builds.ts'
import { median, printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, readCpuTime, runClient, type RunningServer, startPinned } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const seconds = 2
const connections = 16
/** Requests go to so many builds in turn, so that no cache of one answer helps. */
const differentBuilds = 300

await using opened = new AsyncDisposableStack()
const folder = opened.use(await openTemporaryFolder())
const postgres = await startPostgres({ isDurable: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
opened.use(postgres)

const server = opened.use(await startServer(postgres.url))
const middle = await fillBuilds(postgres.url, 1000)
const program = join(import.meta.dirname, 'bare-postgres.ts')
const barePort = await findFreePort()
const bare = opened.use(
  await startPinned(`http://127.0.0.1:${barePort}`, [process.execPath, program, String(barePort), postgres.url]),
)
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

/** Asks servers one after the other. The CPU time of all of them counts, also of those that wait. */
async function measure(targets: RunningServer[], path: string): Promise<Figures> {
  const readAll = async () => (await Promise.all(targets.map(({ pid }) => readCpuTime(pid)))).reduce((a, b) => a + b)
  const before = await readAll()
  const results: Awaited<ReturnType<typeof load>>[] = []
  for (const target of targets) results.push(await load(target, path, connections))
  const requests = results.reduce((sum, one) => sum + one.requests, 0)
  return { rate: median(results.map(({ rate }) => rate)), cost: ((await readAll()) - before) / requests }
}

async function load({ url }: RunningServer, path: string, count: number) {
  const target = path === '' ? ['-s', script, url] : [url + path]
  const how = ['-t1', `-c${count}`, `-d${seconds}s`, '--latency', '-H', `X-Service-Token: ${token}`]
  const output = await runClient('wrk', [...how, ...target])
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`${url}${path} did not answer all with 200: ${output}`)
  const [, latency, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(output) ?? []
  return {
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    latency: Number(latency) * (unit === 'us' ? 1 : unit === 'ms' ? 1000 : 1_000_000),
  }
}

/**
 * Counts the statements that PostgreSQL runs for one of a hundred requests. Statements of jobs, which ask for their own
 * tables, do not count.
 */
async function countStatements({ url }: RunningServer, toPath: (turn: number) => string): Promise<number> {
  await using client = await openPostgresClient(postgres?.url ?? '')
  await client.query("alter system set log_statement = 'all'")
  await client.query('select pg_reload_conf()')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const log = join(postgres?.folder ?? '', 'log')
  const statement = /LOG: {2}(execute|statement).*"(api_tokens|applications|builds)"/g
  const count = () => readFileSync(log, 'utf8').match(statement)?.length ?? 0
  const before = count()
  for (let turn = 0; turn < 100; turn++) {
    const answer = await fetch(url + toPath(turn), { headers: { 'X-Service-Token': token } })
    if (!answer.ok) throw new Error(`${toPath(turn)} answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  const statements = (count() - before) / 100
  await client.query('alter system reset log_statement')
  await client.query('select pg_reload_conf()')
  return statements
}

const list = '/v1/applications/1/builds?limit=50'
const figures = new Map<string, Figures[]>()
const record = (name: string, targets: RunningServer[], path: string) => async () => {
  const one = await measure(targets, path)
  figures.set(name, [...(figures.get(name) ?? []), one])
  return one.rate
}
const rates = await takeTurns(rounds, {
  bareGet: record('bareGet', [bare], ''),
  get: record('get', [server], ''),
  bareList: record('bareList', [bare], list),
  list: record('list', [server], list),
})
const latency = await takeTurns(rounds, {
  get: async () => (await load(server, '', 1)).latency,
  bareGet: async () => (await load(bare, '', 1)).latency,
})
const cost = (name: string) => Math.min(...(figures.get(name) ?? []).map((one) => one.cost))

// An answer that was made before is sent again. The new ones are of builds that nobody has asked for.
await load(server, list, 1)
const statements = {
  get: await countStatements(server, () => `/v1/builds/${middle}`),
  list: await countStatements(server, () => list),
  newGet: await countStatements(server, (turn) => `/v1/builds/${middle - 400 + turn}`),
  newList: await countStatements(server, (turn) => `${list}&cursor=${middle - turn}`),
}
const toRows = (work: string, own: 'get' | 'list', peer: 'bareGet' | 'bareList', statementsOfNew: number) => {
  const [rate, peerRate] = [Math.round(rates[own]), Math.round(rates[peer])]
  const beside = `${rate} and ${peerRate}/s`
  recordAim({ aim: `PostgreSQL: ${work}, beside the peer`, measured: beside, figure: rate / peerRate, atLeast: 0.6 })
  const [ownCost, peerCost] = [cost(own), cost(peer)]
  const counted = `${statements[own]}, ${statementsOfNew}`
  return [
    [work, `${rate}/s`, `${peerRate}/s`, (rate / peerRate).toFixed(2), counted],
    [`CPU of ${work}`, `${ownCost.toFixed(0)} µs`, `${peerCost.toFixed(0)} µs`, (peerCost / ownCost).toFixed(2), ''],
  ]
}
printTable(
  ['work', 'Fairlead', 'node:http and pg', 'ratio', 'statements of a kept answer, of a new one'],
  [
    ...toRows('get a build', 'get', 'bareGet', statements.newGet),
    ...toRows('list 50 builds', 'list', 'bareList', statements.newList),
    [
      'latency of one get at a time',
      `${latency.get.toFixed(0)} µs`,
      `${latency.bareGet.toFixed(0)} µs`,
      (latency.get / latency.bareGet).toFixed(2),
      '',
    ],
  ],
)
recordAim({
  aim: 'PostgreSQL: latency of one get, beside two round trips',
  measured: `${latency.get.toFixed(0)} and ${latency.bareGet.toFixed(0)} µs`,
  figure: latency.get / latency.bareGet,
  atMost: 1,
})
const counted: [keyof typeof statements, string, number][] = [
  // One of the hundred may be the first of a minute, which is made anew.
  ['get', 'a get that was kept', 1.03],
  ['list', 'a list that was kept', 1.03],
  ['newGet', 'another get', 2],
  ['newList', 'another list', 3],
]
for (const [name, what, atMost] of counted) {
  const aim = `PostgreSQL: statements of ${what}, as in docs/operating.md`
  recordAim({ aim, measured: 'of 100 requests', figure: statements[name], atMost })
}

// Replicas of a database of their own, so that the server above is the only one of its database.
await using client = await openPostgresClient(postgres.url)
await client.query('create database replicated')
const replicated = new URL(postgres.url)
replicated.pathname = '/replicated'
const replicas = [opened.use(await startServer(replicated.href))]
await fillBuilds(replicated.href, 1000)
while (replicas.length < 3) replicas.push(opened.use(await startServer(replicated.href)))
// The one server has answered for a minute, and was compiled meanwhile.
for (const replica of replicas) for (const path of ['', list, '', list]) await load(replica, path, connections)
await takeTurns(rounds, {
  get: record('getOfOne', [server], ''),
  getOfThree: record('getOfThree', replicas, ''),
  list: record('listOfOne', [server], list),
  listOfThree: record('listOfThree', replicas, list),
})
console.log()
const toReplicaRow = (work: string, three: string, one: string) => {
  const measured = `${cost(three).toFixed(0)} and ${cost(one).toFixed(0)} µs`
  const figure = cost(three) / cost(one)
  recordAim({ aim: `PostgreSQL: ${work}, CPU time in three replicas beside one`, measured, figure, atMost: 1.1 })
  return [work, `${cost(three).toFixed(0)} µs`, `${cost(one).toFixed(0)} µs`, figure.toFixed(2)]
}
printTable(
  ['CPU time of each request', 'three replicas in turn', 'one', 'ratio'],
  [toReplicaRow('get a build', 'getOfThree', 'getOfOne'), toReplicaRow('list 50 builds', 'listOfThree', 'listOfOne')],
)
