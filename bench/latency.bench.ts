/**
 * Measures the latency of a small request on an idle server and beside two uploads at full speed, and the start-up
 * time. A plain node:http server that takes no part in the uploads shows what sharing the core alone costs.
 */
import { randomFillSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { fillBuilds } from './fill-builds.ts'
import { median, printTable } from './measure.ts'
import { openTemporaryFolder, runClient, startFairlead, startPinned } from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const requestsPerRound = 600

interface P99s {
  own: number
  bare: number
}

await using folder = await openTemporaryFolder()
const dataDir = join(folder.path, 'data')
{
  await using _first = await startFairlead(dataDir, token)
}
const buildId = await fillBuilds(join(dataDir, 'fairlead.db'), 1000)
const file = join(folder.path, 'upload')
await writeFile(file, randomFillSync(Buffer.alloc(512 * 2 ** 20)))

const starts: number[] = []
for (let round = 0; round < rounds; round++) {
  const started = performance.now()
  await using _server = await startFairlead(dataDir, token)
  starts.push(performance.now() - started)
}

await using server = await startFairlead(dataDir, token)
const own = `${server.url}/v1/builds/${buildId}`
await using bareServer = await startBare()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const idle: P99s[] = []
const busy: P99s[] = []
for (let round = 0; round < rounds; round++) {
  idle.push(await measureP99s())
  const uploads = keepUploading(2)
  busy.push(await measureP99s())
  await uploads.stop()
}

const ms = (value: number) => `${value.toFixed(1)} ms`
printTable(
  ['work', 'Fairlead', 'beside', 'ratio'],
  [
    compare('p99 of a get beside two uploads', 'own'),
    compare('the same of an uninvolved node:http', 'bare'),
    ['start to first answer', ms(median(starts)), '', ''],
  ],
)

function compare(work: string, whose: keyof P99s): string[] {
  const [beside, alone] = [busy, idle].map((rounds) => median(rounds.map((p99s) => p99s[whose])))
  return [work, ms(beside!), `idle ${ms(alone!)}`, (beside! / alone!).toFixed(2)]
}

async function startBare() {
  const body = join(folder.path, 'body')
  const answer = await fetch(own, { headers: { 'X-Service-Token': token } })
  await writeFile(body, await answer.text())
  const port = await findFreePort()
  const program = join(import.meta.dirname, 'bare-server.ts')
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, program, String(port), body])
}

/** Sends one request after another with a few milliseconds between them, alternating between the two servers. */
async function measureP99s(): Promise<P99s> {
  const times = { own: [] as number[], bare: [] as number[] }
  for (let index = 0; index < requestsPerRound; index++) {
    times.own.push(await timeRequest(own))
    times.bare.push(await timeRequest(bareServer.url))
  }
  const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!
  return { own: p99(times.own), bare: p99(times.bare) }
}

async function timeRequest(url: string): Promise<number> {
  const started = performance.now()
  await request(url)
  const took = performance.now() - started
  await new Promise((resolve) => setTimeout(resolve, 4))
  return took
}

function request(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-Service-Token': token } }, (response) => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })
}

/** Repeats uploads that end in 422, because only their throughput matters here. */
function keepUploading(count: number) {
  const stopping = new AbortController()
  const loops = Array.from({ length: count }, async () => {
    while (!stopping.signal.aborted) {
      const headers = ['-H', `X-Service-Token: ${token}`, '-H', 'X-Service-Application-Alias: bench']
      await runClient('curl', [
        '-s',
        '-o',
        '/dev/null',
        '-X',
        'POST',
        '-T',
        file,
        ...headers,
        `${server.url}/v2/builds`,
      ])
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
