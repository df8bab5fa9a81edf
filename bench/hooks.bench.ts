/**
 * Measures what hooks cost others: uploads of small builds with and without hooks that want them, in time and in
 * processor time of the server and its children until everything is delivered, and the latency of requests beside
 * 10,000 waiting deliveries. Two servers take turns, one with hooks and one without.
 */
import { DatabaseSync } from 'node:sqlite'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { writeApk } from '@fairlead/binary/fixture'
import { call, token } from './call.ts'
import { median, printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, readTreeCpuTime, type RunningServer, startFairlead } from './processes.ts'
import { requirePort } from '../scripts/free-port.ts'

const rounds = 7
const uploadsPerRound = 20
const requestsPerRound = 200
const hookCount = 5
const waitingCount = 10_000

await using folder = await openTemporaryFolder()
const receiver = createServer((request, response) => {
  request.resume().once('end', () => response.end())
})
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
process.env['FAIRLEAD_HOOKS_ALLOW'] = '127.0.0.1'

let version = 0
const [plainDir, hookedDir] = [join(folder.path, 'plain'), join(folder.path, 'hooked')]
{
  await using plain = await startFairlead(plainDir, token)
  await using hooked = await startFairlead(hookedDir, token)
  for (const server of [plain, hooked]) {
    await call(server.url, 'POST', '/v1/applications', { name: 'Shop', alias: 'shop', platform: 'android' })
  }
  for (let number = 0; number < hookCount; number++) {
    const url = `http://127.0.0.1:${requirePort(receiver)}/`
    await call(hooked.url, 'POST', '/v1/hooks', { name: `Hook ${number}`, url, events: ['*'] })
  }
  const cpuTimes = new Map<RunningServer, number[]>([plain, hooked].map((server) => [server, []]))
  const measure = (server: RunningServer) => async () => {
    const before = await readTreeCpuTime(server.pid)
    const time = await timeUploads(server)
    await waitUntilDelivered(server)
    cpuTimes.get(server)?.push(((await readTreeCpuTime(server.pid)) - before) / uploadsPerRound)
    return time
  }
  // The first uploads start readers and compile code.
  for (const server of [plain, hooked]) await timeUploads(server)
  const uploads = await takeTurns(rounds, { plain: measure(plain), hooked: measure(hooked) })
  const ratio = (uploads.hooked / uploads.plain).toFixed(2)
  print(`upload of a small build with ${hookCount} hooks that want it`, uploads.hooked, uploads.plain, ratio)
  const [plainCpu = 0, hookedCpu = 0] = [plain, hooked].map((server) => median(cpuTimes.get(server) ?? []) / 1000)
  print('processor time for it, with its deliveries', hookedCpu, plainCpu, (hookedCpu / plainCpu).toFixed(2))
}
fillDeliveries(join(hookedDir, 'fairlead.db'))
{
  await using plain = await startFairlead(plainDir, token)
  await using hooked = await startFairlead(hookedDir, token)
  for (const path of ['/v1/builds/1', '/v1/applications/1/builds?limit=50', '/v1/hooks']) {
    const times = await takeTurns(rounds, {
      plain: () => timeRequests(plain, path),
      hooked: () => timeRequests(hooked, path),
    })
    const ratio = (times.hooked / times.plain).toFixed(2)
    print(`GET ${path} beside ${waitingCount} waiting deliveries`, times.hooked, times.plain, ratio)
  }
}
receiver.closeAllConnections()
receiver.close()

function print(work: string, hooked: number, plain: number, ratio: string): void {
  const ms = (value: number) => `${value.toFixed(2)} ms`
  printTable(['work', 'with hooks', 'without', 'ratio'], [[work, ms(hooked), ms(plain), ratio]])
}

/** Returns the median time of an upload in milliseconds. */
async function timeUploads(server: RunningServer): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < uploadsPerRound; count++) {
    const body = new Uint8Array(writeApk({ packageName: 'com.example.shop', versionCode: ++version }))
    const started = performance.now()
    const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': 'shop' }
    const answer = await fetch(`${server.url}/v2/builds`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(await answer.text())
    times.push(performance.now() - started)
    await answer.arrayBuffer()
  }
  return median(times)
}

async function waitUntilDelivered({ url }: RunningServer): Promise<void> {
  for (;;) {
    const hooks: { waitingCount: number }[] = await call(url, 'GET', '/v1/hooks')
    if (hooks.every(({ waitingCount }) => waitingCount === 0)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the 99th percentile of the time of a request in milliseconds. */
async function timeRequests(server: RunningServer, path: string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < requestsPerRound; count++) {
    const started = performance.now()
    const answer = await fetch(server.url + path, { headers: { 'X-Service-Token': token } })
    await answer.arrayBuffer()
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return times.toSorted((a, b) => a - b)[Math.floor(requestsPerRound * 0.99)] ?? 0
}

/** Adds deliveries of the first hook that wait for their next attempt, tomorrow. */
function fillDeliveries(path: string): void {
  const database = new DatabaseSync(path)
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000
  database.exec('begin')
  const insert = database.prepare(
    `insert into hook_deliveries
      (workspace_id, hook_id, event_id, state, attempt_count, next_attempt_at, last_error, created_at)
      values (1, 1, (select min(id) from hook_events), 'waiting', 3, ?, 'connect', ?)`,
  )
  for (let count = 0; count < waitingCount; count++) insert.run(tomorrow, Date.now())
  database.exec('commit')
  database.close()
}
