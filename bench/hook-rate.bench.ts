/**
 * Measures how many deliveries of hooks a server makes in a second, beside a bare client on the same core that sends as
 * much over as many connections of their own, and how long a delivery waits on a server that has nothing else to do; on
 * both databases.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { call, token } from './call.ts'
import { median, printTable } from './measure.ts'
import { openTemporaryFolder, run, serverCore, startPinned } from './processes.ts'
import { findFreePort, requirePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres.ts'

const hookCount = 8
const perHook = Number(process.env.BENCH_DELIVERIES ?? 150)
const rounds = 3
const samples = 100

let isBusy = false
let received = 0
let onReceived: (() => void) | undefined
const receiver = createServer((incoming, answer) => {
  incoming.resume().once('end', () => {
    if (isBusy) answer.writeHead(503, { 'retry-after': '3600' })
    answer.end()
    received++
    onReceived?.()
  })
})
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
const receiverPort = requirePort(receiver)

await measure('the embedded database', null)
using postgres = await startPostgres({ isDurable: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
await measure('PostgreSQL', postgres.url)
receiver.closeAllConnections()
receiver.close()

async function measure(name: string, databaseUrl: string | null): Promise<void> {
  await using folder = await openTemporaryFolder()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const program = join(import.meta.dirname, '../apps/server/src/main.ts')
  await using _server = await startPinned(url, [process.execPath, program], {
    env: {
      FAIRLEAD_PORT: String(port),
      FAIRLEAD_DATA_DIR: folder.path,
      FAIRLEAD_INITIAL_API_TOKEN: token,
      FAIRLEAD_HOOKS_ALLOW: '127.0.0.1',
      FAIRLEAD_LOG_LEVEL: 'warn',
      ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl }),
    },
  })
  const hooks: number[] = []
  for (let count = 0; count < hookCount; count++) {
    const hook = { name: `Hook ${count}`, url: `http://127.0.0.1:${receiverPort}/`, events: ['hook.test'] }
    hooks.push((await call<{ id: number }>(url, 'POST', '/v1/hooks', hook)).id)
  }
  const rates: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    rates.push(await rate(url, hooks))
    bare.push(await rateBare())
  }
  const delays: number[] = []
  for (let count = 0; count < samples; count++) delays.push(await delay(url, hooks[0] ?? 0))
  const [ours, theirs] = [median(rates), median(bare)]
  console.log(`On ${name}:`)
  const sorted = delays.toSorted((one, other) => one - other)
  printTable(
    ['work', 'Fairlead', 'compared with', 'ratio'],
    [
      ['deliveries in a second', ours.toFixed(0), `bare client, ${theirs.toFixed(0)}`, (ours / theirs).toFixed(2)],
      ['a test until it is received, median', `${median(delays).toFixed(1)} ms`, '', ''],
      ['a test until it is received, p99', `${(sorted[Math.floor(samples * 0.99)] ?? 0).toFixed(1)} ms`, '', ''],
    ],
  )
}

/** Has deliveries wait for an hour, since their receiver is busy, and then makes all. Returns how many in a second. */
async function rate(url: string, hooks: number[]): Promise<number> {
  const since = new Date(Date.now() - 1000).toISOString()
  const before = received
  isBusy = true
  for (let count = 0; count < perHook; count++) {
    await Promise.all(hooks.map(async (id) => call(url, 'POST', `/v1/hooks/${id}/test`)))
  }
  await untilReceived(before + hookCount * perHook)
  // The outcomes of the last ones are recorded after their answers.
  for (;;) {
    const states = await Promise.all(
      hooks.map(async (id) =>
        call<{ attemptCount: number }[]>(url, 'GET', `/v1/hooks/${id}/deliveries?state=waiting&limit=50`),
      ),
    )
    if (states.flat().every(({ attemptCount }) => attemptCount > 0)) break
  }
  isBusy = false
  const first = received
  const began = performance.now()
  await Promise.all(hooks.map(async (id) => call(url, 'POST', `/v1/hooks/${id}/redeliver`, { since })))
  await untilReceived(first + hookCount * perHook)
  return (hookCount * perHook * 1000) / (performance.now() - began)
}

/** Sends as many bodies from a process on the core of the server. Returns how many in a second. */
async function rateBare(): Promise<number> {
  const count = hookCount * perHook
  const client = join(import.meta.dirname, 'bare-hook-client.ts')
  const parameters = ['-c', serverCore, process.execPath, client, String(receiverPort), String(count)]
  return (count * 1000) / Number(await run('taskset', parameters))
}

/** Returns how long after its request a test is received, in milliseconds. */
async function delay(url: string, id: number): Promise<number> {
  const wanted = received + 1
  const began = performance.now()
  await Promise.all([untilReceived(wanted), call(url, 'POST', `/v1/hooks/${id}/test`)])
  return performance.now() - began
}

function untilReceived(count: number): Promise<void> {
  return new Promise((done) => {
    onReceived = () => {
      if (received >= count) done()
    }
    onReceived()
  })
}
