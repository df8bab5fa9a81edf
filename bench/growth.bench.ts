/**
 * Measures whether getting and listing builds costs more with a million builds than with a thousand, in CPU time of the
 * server and the database together. Every request asks for another build or page, so that none is cached.
 */
import { join } from 'node:path'
import { Client } from 'pg'
import { readFileSync } from 'node:fs'
import { requireAt } from '@fairlead/invariant'
import { startPostgres } from '../scripts/postgres.ts'
import { recordAim } from './aims.ts'
import { fillBuilds } from './fill-builds.ts'
import { printTable, takeTurns } from './measure.ts'
import { bothCores, openTemporaryFolder, startPinned } from './processes.ts'
import { readExactTreeCpuTime } from './process-tree.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const few = 1000
const many = Number(process.env.BENCH_BUILDS ?? 1_000_000)
const rounds = 5
/** As many in all rounds as the smaller database has builds. */
const requests = few / rounds

await using opened = new AsyncDisposableStack()
const folder = opened.use(await openTemporaryFolder()).path
const postgres = await startPostgres()
if (postgres) opened.use(postgres)
const rows: (string | number)[][] = []

for (const engine of postgres ? ['SQLite', 'PostgreSQL'] : ['SQLite']) {
  const small = await start(engine, few)
  const large = await start(engine, many)
  const get = (id: number) => `/v1/builds/${id}`
  const list = (id: number) => `/v1/applications/1/builds?limit=50&cursor=${id}`
  const filter = (id: number) => `/v1/applications/1/builds?limit=50&version=${id}`
  const costs = await takeTurns(rounds, {
    get: measure(small, get),
    getOfMany: measure(large, get),
    list: measure(small, list),
    listOfMany: measure(large, list),
    filter: measure(small, filter),
    filterOfMany: measure(large, filter),
  })
  const add = (work: string, own: number, base: number) => {
    const measured = `${own.toFixed(0)} and ${base.toFixed(0)} µs`
    recordAim({
      aim: `${engine}: ${work} of ${many} beside ${few}, CPU time`,
      measured,
      figure: own / base,
      atMost: 1.2,
    })
    rows.push([
      `${engine}: ${work} of ${many}`,
      `${own.toFixed(0)} µs`,
      `${base.toFixed(0)} µs`,
      (own / base).toFixed(2),
    ])
  }
  add('get a build', costs.getOfMany, costs.get)
  add('list 50 builds', costs.listOfMany, costs.list)
  add('list the builds of a version', costs.filterOfMany, costs.filter)
}
printTable(['work', 'CPU time', `of ${few}`, 'ratio'], rows)

interface Measured {
  url: string
  count: number
  readCpu: () => number
}

async function start(engine: string, count: number): Promise<Measured> {
  const dataDir = join(folder, `${engine}-${count}`)
  const database = engine === 'SQLite' ? undefined : await createDatabase(`builds_${count}`)
  const open = async () => {
    const port = await findFreePort()
    const program = join(import.meta.dirname, '../apps/server/src/main.ts')
    return startPinned(`http://127.0.0.1:${port}`, [process.execPath, program], {
      cores: bothCores,
      env: {
        FAIRLEAD_PORT: String(port),
        FAIRLEAD_DATA_DIR: dataDir,
        FAIRLEAD_INITIAL_API_TOKEN: token,
        FAIRLEAD_LOG_LEVEL: 'warn',
        ...(database && { FAIRLEAD_DATABASE_URL: database.url }),
      },
    })
  }
  // The first start creates the tables and the token.
  await (await open())[Symbol.asyncDispose]()
  await fillBuilds(database?.url ?? join(dataDir, 'fairlead.db'), count)
  const server = opened.use(await open())
  const pids = [server.pid, ...(database ? [database.pid] : [])]
  const readCpu = () => pids.reduce((sum, pid) => sum + readExactTreeCpuTime(pid), 0)
  return { url: server.url, count, readCpu }
}

/** Creates a database in the cluster. Returns its URL, and the process that has started those of the cluster. */
async function createDatabase(name: string): Promise<{ url: string; pid: number }> {
  const client = new Client({ connectionString: postgres?.url })
  await client.connect()
  await client.query(`create database ${name}`)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = readParent(requireAt(rows, 0).pid)
  await client.end()
  const url = new URL(postgres?.url ?? '')
  url.pathname = `/${name}`
  return { url: url.href, pid }
}

function readParent(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/**
 * Returns a function that measures the CPU time of a request in microseconds. It asks for each build once in all
 * rounds, in an order that is spread over all builds.
 */
function measure({ url, count, readCpu }: Measured, toPath: (id: number) => string): () => Promise<number> {
  let next = 0
  return async () => {
    const before = readCpu()
    for (let request = 0; request < requests; request++) {
      next = (next + 7919) % count
      const answer = await fetch(url + toPath(next + 1), { headers: { 'X-Service-Token': token } })
      if (!answer.ok) throw new Error(`${toPath(next + 1)} answered ${answer.status}`)
      await answer.arrayBuffer()
    }
    return (readCpu() - before) / requests
  }
}
