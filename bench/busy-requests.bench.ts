/**
 * Measures GET of 300 different builds in turn and of a list while 20 changes a second arrive, on both databases, each
 * beside its peer in the same run: node:http sending the bytes of one answer, and node:http with two prepared
 * statements of `pg`. The changes set the release notes of those builds. Their seconds are those of CPU time of the
 * measured server, which are those of the clock on a quiet machine: on a busy one, a slow server would else spend most
 * of its time on the changes.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { recordAim } from './aims.ts'
import { fillBuilds } from './fill-builds.ts'
import { median, printRow, printTable } from './measure.ts'
import {
  openTemporaryFolder,
  readCpuTime,
  runClient,
  type RunningServer,
  startFairlead,
  startPinned,
} from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const headers = { 'X-Service-Token': token }
const rounds = 5
const seconds = 2
const differentBuilds = 300
const changesPerSecond = 20
const list = '/v1/applications/1/builds?limit=50'

await using opened = new AsyncDisposableStack()
const folder = opened.use(await openTemporaryFolder())
const postgres = await startPostgres({ isDurable: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
opened.use(postgres)

interface Compared {
  work: string
  own: RunningServer
  peer: RunningServer
  /** The URL of the list or the builds of both servers, after their addresses. */
  ownPath: string
  peerPath: string
  firstBuild: number
  /** The lowest ratio that is wanted. */
  atLeast: number
}

const compared = [...(await startSqlite()), ...(await startPostgresServers(postgres.url))]
printTable(['work under changes', 'Fairlead', 'beside', 'ratio', 'ratio of CPU time'], [])
for (const one of compared) printRow(await compare(one))

async function startSqlite(): Promise<Compared[]> {
  const dataDir = join(folder.path, 'sqlite')
  await (await startFairlead(dataDir, token))[Symbol.asyncDispose]()
  const middle = await fillBuilds(join(dataDir, 'fairlead.db'), 1000)
  const own = opened.use(await startFairlead(dataDir, token))
  const startBare = async (path: string) => {
    const answer = await fetch(own.url + path, { headers })
    const file = join(folder.path, `body-${Math.random()}`)
    await writeFile(file, Buffer.from(await answer.arrayBuffer()))
    return startServer('bare-server.ts', file)
  }
  const firstBuild = middle - differentBuilds / 2
  const bareGet = await startBare(`/v1/builds/${middle}`)
  const bareList = await startBare(list)
  return [
    { work: 'SQLite: get a build', own, peer: bareGet, ownPath: '', peerPath: '', firstBuild, atLeast: 0.6 },
    { work: 'SQLite: list 50 builds', own, peer: bareList, ownPath: list, peerPath: '', firstBuild, atLeast: 0.45 },
  ]
}

async function startPostgresServers(databaseUrl: string): Promise<Compared[]> {
  const port = await findFreePort()
  const main = join(import.meta.dirname, '../apps/server/src/main.ts')
  const own = opened.use(
    await startPinned(`http://127.0.0.1:${port}`, [process.execPath, main], {
      env: {
        FAIRLEAD_PORT: String(port),
        FAIRLEAD_DATA_DIR: join(folder.path, 'postgres'),
        FAIRLEAD_DATABASE_URL: databaseUrl,
        FAIRLEAD_INITIAL_API_TOKEN: token,
        FAIRLEAD_LOG_LEVEL: 'warn',
      },
    }),
  )
  const firstBuild = (await fillBuilds(databaseUrl, 1000)) - differentBuilds / 2
  const peer = await startServer('bare-postgres.ts', databaseUrl)
  return [
    { work: 'PostgreSQL: get a build', own, peer, ownPath: '', peerPath: '', firstBuild, atLeast: 0.6 },
    { work: 'PostgreSQL: list 50 builds', own, peer, ownPath: list, peerPath: list, firstBuild, atLeast: 0.6 },
  ]
}

async function startServer(program: string, argument: string): Promise<RunningServer> {
  const port = await findFreePort()
  const command = [process.execPath, join(import.meta.dirname, program), String(port), argument]
  return opened.use(await startPinned(`http://127.0.0.1:${port}`, command))
}

/** Both take turns. Medians of the ratios of neighbours are compared, because a shared machine changes its speed. */
async function compare({ work, own, peer, ownPath, peerPath, firstBuild, atLeast }: Compared): Promise<string[]> {
  const script = join(folder.path, 'builds.lua')
  await writeFile(
    script,
    `local n = 0
    request = function()
      n = n + 1
      return wrk.format('GET', '/v1/builds/' .. (${firstBuild} + n % ${differentBuilds}))
    end`,
  )
  const results: { own: Figures; peer: Figures }[] = []
  for (let round = 0; round < rounds; round++) {
    const during = async (measured: RunningServer, path: string) => {
      await using _changing = changeBuilds(own, firstBuild, measured.pid)
      return await measure(measured, path, script)
    }
    results.push({ peer: await during(peer, peerPath), own: await during(own, ownPath) })
  }
  const middle = (choose: (one: (typeof results)[number]) => number) => median(results.map(choose))
  const [rate, peerRate] = [middle((one) => one.own.rate), middle((one) => one.peer.rate)].map(Math.round)
  const figure = middle((one) => one.own.rate / one.peer.rate)
  recordAim({ aim: `${work}, under 20 changes a second`, measured: `${rate} and ${peerRate}/s`, figure, atLeast })
  const ofCpuTime = middle((one) => one.peer.cost / one.own.cost)
  return [work, `${rate}/s`, `${peerRate}/s`, figure.toFixed(2), ofCpuTime.toFixed(2)]
}

interface Figures {
  rate: number
  /** Microseconds of the server process per request; those of Fairlead include its changes. */
  cost: number
}

async function measure({ url, pid }: RunningServer, path: string, script: string): Promise<Figures> {
  const before = await readCpuTime(pid)
  const load = path === '' ? ['-s', script, url] : [url + path]
  const output = await runClient('wrk', ['-t1', '-c16', `-d${seconds}s`, '-H', `X-Service-Token: ${token}`, ...load])
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`${url}${path} did not answer all with 200: ${output}`)
  const cost = ((await readCpuTime(pid)) - before) / Number(/(\d+) requests in/.exec(output)?.[1])
  return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]), cost }
}

/** Changes one of the builds for each 50 ms of CPU time of a process. */
function changeBuilds(server: RunningServer, firstBuild: number, pid: number): AsyncDisposable {
  let count = 0
  const stopping = new AbortController()
  const change = async () => {
    const id = firstBuild + ((++count * 7919) % differentBuilds)
    const body = JSON.stringify({ releaseNotes: `Change ${count}` })
    const type = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${server.url}/v2/builds/${id}`, {
      method: 'PATCH',
      headers: { ...headers, ...type },
      body,
    })
    if (!answer.ok) throw new Error(`the change of a build answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const run = async () => {
    const before = await readCpuTime(pid)
    while (!stopping.signal.aborted) {
      const wanted = (((await readCpuTime(pid)) - before) / 1_000_000) * changesPerSecond
      if (count < wanted) await change()
      else await setTimeout(5)
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
