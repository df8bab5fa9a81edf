/**
 * Measures how long a dry run takes over many builds on both databases, and what it costs a request that comes
 * meanwhile: the slowest and the median answer to a get of a build, beside the same while nothing else runs.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fillBuilds } from './fill-builds.ts'
import { printTable } from './measure.ts'
import { bothCores, openTemporaryFolder, startPinned } from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const count = Number(process.env.BENCH_BUILDS ?? 100_000)
const rounds = 3
const headers = { 'X-Service-Token': token, 'Content-Type': 'application/json' }
const rules = {
  keepDistributedDays: 0,
  rules: [
    { branches: ['main'], maxAgeDays: 30, keepNewest: 20 },
    { branches: ['*'], maxAgeDays: 7 },
  ],
}

await measure('the embedded database', null)
using postgres = await startPostgres({ isDurable: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
await measure('PostgreSQL', postgres.url)

async function measure(name: string, databaseUrl: string | null): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const dataDir = opened.use(await openTemporaryFolder()).path
  // The first start creates the tables and the token.
  await (await start(dataDir, databaseUrl))[Symbol.asyncDispose]()
  const buildId = await fillBuilds(databaseUrl ?? join(dataDir, 'fairlead.db'), count)
  const { url } = opened.use(await start(dataDir, databaseUrl))
  const get = `${url}/v1/builds/${buildId}`

  const idle = await sample(get, setTimeout(2000))
  const times: number[] = []
  const busy: number[] = []
  let candidates = 0
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const preview = judge(url)
    busy.push(...(await sample(get, preview)))
    candidates = (await preview).candidateCount
    times.push(performance.now() - began)
  }
  console.log(`On ${name}:`)
  printTable(
    ['work', 'time'],
    [
      [`dry run of ${count} builds, ${candidates} of which go`, `${(median(times) / 1000).toFixed(2)} s`],
      ['get a build meanwhile, median', `${median(busy).toFixed(1)} ms`],
      ['get a build meanwhile, p99', `${quantile(busy, 0.99).toFixed(1)} ms`],
      ['get a build while idle, median', `${median(idle).toFixed(1)} ms`],
      ['get a build while idle, p99', `${quantile(idle, 0.99).toFixed(1)} ms`],
    ],
  )
}

async function judge(url: string): Promise<{ candidateCount: number }> {
  const path = `${url}/v1/applications/1/retention/preview`
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(rules) })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answer, of which one number is read
  return (await answer.json()) as { candidateCount: number }
}

/** Gets a build every 10 ms until the work is done. Returns how long each answer took, in milliseconds. */
async function sample(address: string, work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = []
  const state = { isDone: false }
  void work.finally(() => (state.isDone = true))
  while (!state.isDone) {
    const began = performance.now()
    await (await fetch(address, { headers })).arrayBuffer()
    latencies.push(performance.now() - began)
    await setTimeout(10)
  }
  return latencies
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
}

async function start(dataDir: string, databaseUrl: string | null) {
  const port = await findFreePort()
  const program = join(import.meta.dirname, '../apps/server/src/main.ts')
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, program], {
    cores: bothCores,
    env: {
      FAIRLEAD_PORT: String(port),
      FAIRLEAD_DATA_DIR: dataDir,
      ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl }),
      FAIRLEAD_INITIAL_API_TOKEN: token,
      FAIRLEAD_LOG_LEVEL: 'warn',
    },
  })
}
