/** Measures GET of a build and of a list beside node:http with the same bytes, with a thousand and a million builds. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fillBuilds } from './fill-builds.ts'
import { printTable, takeTurns } from './measure.ts'
import {
  openTemporaryFolder,
  readCpuTime,
  runClient,
  type RunningServer,
  startFairlead,
  startPinned,
} from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const header = `X-Service-Token: ${token}`
const rounds = 5
const seconds = 3
const costRounds = 7

await using folder = await openTemporaryFolder()

/** Measures requests per second over 16 connections, with wrk on the other core. */
async function countRequests(url: string): Promise<number> {
  const output = await runClient('wrk', ['-t1', '-c16', `-d${seconds}s`, '-H', header, url])
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}

/**
 * Measures the CPU time of a request in microseconds. On a machine that others use too it varies less than the number
 * of requests per second.
 */
async function measureCost({ pid }: RunningServer, url: string, headers: string[] = []): Promise<number> {
  const before = await readCpuTime(pid)
  const output = await runClient('wrk', ['-t1', '-c16', '-d1s', ...[header, ...headers].flatMap((h) => ['-H', h]), url])
  return ((await readCpuTime(pid)) - before) / Number(/(\d+) requests in/.exec(output)?.[1])
}

async function startWith(count: number) {
  const dataDir = join(folder.path, `data-${count}`)
  // The first start creates the schema and the token; the rows are then inserted directly into the database.
  {
    await using _first = await startFairlead(dataDir, token)
  }
  const buildId = await fillBuilds(join(dataDir, 'fairlead.db'), count)
  const server = await startFairlead(dataDir, token)
  return { server, get: `${server.url}/v1/builds/${buildId}`, list: `${server.url}/v1/applications/1/builds?limit=50` }
}

async function startBare(url: string) {
  const answer = await fetch(url, { headers: { 'X-Service-Token': token } })
  const file = join(folder.path, `body-${Math.random()}`)
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  const port = await findFreePort()
  const program = join(import.meta.dirname, 'bare-server.ts')
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, program, String(port), file])
}

const small = await startWith(1000)
const large = await startWith(1_000_000)
const bareGet = await startBare(small.get)
const bareList = await startBare(small.list)

const rates = await takeTurns(rounds, {
  bareGet: () => countRequests(bareGet.url),
  get: () => countRequests(small.get),
  getOfMillion: () => countRequests(large.get),
  bareList: () => countRequests(bareList.url),
  list: () => countRequests(small.list),
  listOfMillion: () => countRequests(large.list),
})

// A request with this header is never answered before Fastify, as one that sends no token.
const unusual = ['X-No-Compression: 1']
const contestants = {
  bareGet: () => measureCost(bareGet, bareGet.url),
  get: () => measureCost(small.server, small.get),
  routedGet: () => measureCost(small.server, small.get, unusual),
  bareList: () => measureCost(bareList, bareList.url),
  list: () => measureCost(small.server, small.list),
  routedList: () => measureCost(small.server, small.list, unusual),
}
// Other programs only ever add to the CPU time, by what they evict from the caches, so the lowest value is the truest.
const costs = await takeTurns(costRounds, contestants, (values) => Math.min(...values))

const perSecond = (rate: number) => `${Math.round(rate)}/s`
const ratio = (a: number, b: number) => (a / b).toFixed(2)
const toCostRow = (work: string, cost: number, bare: number) => [
  work,
  `${cost.toFixed(1)} µs`,
  `node:http ${bare.toFixed(1)} µs`,
  ratio(bare, cost),
]
printTable(
  ['work', 'Fairlead', 'beside', 'ratio'],
  [
    ['get a build', perSecond(rates.get), `node:http ${perSecond(rates.bareGet)}`, ratio(rates.get, rates.bareGet)],
    [
      'list 50 builds',
      perSecond(rates.list),
      `node:http ${perSecond(rates.bareList)}`,
      ratio(rates.list, rates.bareList),
    ],
    toCostRow('CPU of a get', costs.get, costs.bareGet),
    toCostRow('CPU of a get through Fastify', costs.routedGet, costs.bareGet),
    toCostRow('CPU of a list', costs.list, costs.bareList),
    toCostRow('CPU of a list through Fastify', costs.routedList, costs.bareList),
    [
      'get, of 1,000,000',
      perSecond(rates.getOfMillion),
      `of 1,000 ${perSecond(rates.get)}`,
      ratio(rates.getOfMillion, rates.get),
    ],
    [
      'list, of 1,000,000',
      perSecond(rates.listOfMillion),
      `of 1,000 ${perSecond(rates.list)}`,
      ratio(rates.listOfMillion, rates.list),
    ],
  ],
)

for (const server of [small.server, large.server, bareGet, bareList]) await server[Symbol.asyncDispose]()
