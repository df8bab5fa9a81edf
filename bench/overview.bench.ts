/**
 * Measures whether the overview of an application costs more with 5,000,000 crashes, 10,000,000 test results and
 * 100,000 builds than with a thousandth of that. The figures are the processor time of the server and the database
 * together, and the time until the answer is there; every request reads the database. `BENCH_SCALE` fills less, such
 * as 0.1, and `BENCH_ENGINES=sqlite` leaves PostgreSQL out. Filling takes minutes, so `BENCH_DATA` names a folder that
 * keeps the databases, and `BENCH_ROUNDS=0` only fills them: the next run measures the same, when the machine is quiet.
 * It should be on the same day, because the overview reads the last days.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { call, token } from './call.ts'
import { fillOverview } from './fill-overview.ts'
import { openFilledDatabase } from './filled-database.ts'
import { printTable, takeTurns } from './measure.ts'
import { bothCores, openTemporaryFolder, readTreeCpuTime, startFairlead } from './processes.ts'

const scale = Number(process.env.BENCH_SCALE ?? 1)
const large = { crashes: 5_000_000 * scale, results: 10_000_000 * scale, builds: 100_000 * scale }
const small = { crashes: 5000, results: 10_000, builds: 100 }
const engines = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',')
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const requests = Number(process.env.BENCH_REQUESTS ?? 40)

interface Contestant {
  url: string
  pids: number[]
}

await using temporary = await openTemporaryFolder()
await using opened = new AsyncDisposableStack()
const kept = process.env.BENCH_DATA
const folder = kept ?? temporary.path
const keptIn = kept === undefined ? undefined : join(kept, 'postgres')
const postgres = engines.includes('postgres') ? await startPostgres({ keptIn }) : undefined
if (postgres) opened.use(postgres)
const rows: (string | number)[][] = []

for (const engine of engines) {
  const filled = [await prepare(engine, 'few', small), await prepare(engine, 'many', large)] as const
  // The full size fills for longer than it measures, so it is said from when on the machine should be quiet.
  console.error(`${engine}: filled`)
  if (rounds === 0) continue
  const [few, many] = [await filled[0](), await filled[1]()]
  for (const path of ['/v1/applications/1/overview', '/v1/applicationOverviews']) {
    const costs = await takeTurns(rounds, {
      few: () => measureProcessorTime(few, path),
      many: () => measureProcessorTime(many, path),
      fewWaited: () => measureWaiting(few, path),
      manyWaited: () => measureWaiting(many, path),
    })
    const add = (what: string, own: number, base: number) => {
      const name = `${engine}: ${path}, ${what}`
      rows.push([name, `${own.toFixed(2)} ms`, `${base.toFixed(2)} ms`, (own / base).toFixed(2)])
      // What took so long to fill is not lost when the rest fails.
      console.error(rows.at(-1)?.join(' | '))
    }
    add('processor time', costs.many, costs.few)
    add('time to the answer', costs.manyWaited, costs.fewWaited)
  }
  console.error(`${engine}: measured`)
}
const text = (count: number) => count.toLocaleString('en')
console.log(`${text(large.crashes)} crashes, ${text(large.results)} results, ${text(large.builds)} builds\n`)
printTable(['work', 'of many', 'of a thousandth', 'ratio'], rows)

/** Fills a database. The function that it returns starts a server over it. */
async function prepare(engine: string, name: string, counts: typeof large): Promise<() => Promise<Contestant>> {
  const dataDir = join(folder, `${engine}-${name}`)
  if (engine === 'sqlite') {
    await fillOnce(dataDir, join(dataDir, 'fairlead.db'), counts)
    return async () => {
      const server = opened.use(await startFairlead(dataDir, token, bothCores))
      return { url: server.url, pids: [server.pid] }
    }
  }
  if (!postgres) throw new Error('PostgreSQL is not installed')
  if (!isFilled(dataDir)) {
    await using client = await openPostgresClient(postgres.url)
    await client.query(`drop database if exists overview_${name}`)
    await client.query(`create database overview_${name}`)
  }
  const { href } = Object.assign(new URL(postgres.url), { pathname: `/overview_${name}` })
  const overPostgres = async <Result>(run: () => Promise<Result>) => {
    process.env.FAIRLEAD_DATABASE_URL = href
    try {
      return await run()
    } finally {
      delete process.env.FAIRLEAD_DATABASE_URL
    }
  }
  await overPostgres(() => fillOnce(dataDir, href, counts))
  return async () => {
    const server = opened.use(await overPostgres(() => startFairlead(dataDir, token, bothCores)))
    const [pid = ''] = readFileSync(join(postgres.folder, 'postmaster.pid'), 'utf8').split('\n')
    return { url: server.url, pids: [server.pid, Number(pid)] }
  }
}

function isFilled(dataDir: string): boolean {
  return existsSync(join(dataDir, 'filled'))
}

/** Lets a server make the tables, and fills them, unless an earlier run has. */
async function fillOnce(dataDir: string, address: string, counts: typeof large): Promise<void> {
  if (isFilled(dataDir)) return
  {
    await using first = await startFairlead(dataDir, token, bothCores)
    await call(first.url, 'GET', '/v1/applications')
  }
  await fill(address, counts)
  writeFileSync(join(dataDir, 'filled'), '')
}

async function fill(address: string, counts: typeof large): Promise<void> {
  await using database = await openFilledDatabase(address)
  await fillOverview(database, counts)
}

async function ask({ url }: Contestant, path: string): Promise<void> {
  await call(url, 'GET', path)
}

async function readCpuTimes({ pids }: Contestant): Promise<number> {
  const times = await Promise.all(pids.map(readTreeCpuTime))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** Returns the milliseconds of processor time of a request. */
async function measureProcessorTime(contestant: Contestant, path: string): Promise<number> {
  const before = await readCpuTimes(contestant)
  for (let request = 0; request < requests; request++) await ask(contestant, path)
  return ((await readCpuTimes(contestant)) - before) / requests
}

/** Returns the milliseconds until a request is answered, the median of several. */
async function measureWaiting(contestant: Contestant, path: string): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < requests; request++) {
    const before = performance.now()
    await ask(contestant, path)
    times.push(performance.now() - before)
  }
  return times.toSorted((one, other) => one - other)[requests >> 1] ?? 0
}
