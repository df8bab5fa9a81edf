/** How long a small request takes while nothing else happens, and beside two uploads at full speed; and the start. */
import { randomFillSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { fillBuilds } from './fill-builds.ts'
import { median, printTable } from './measure.ts'
import { openTemporaryFolder, runClient, startFairlead } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const requestsPerRound = 600

await using folder = await openTemporaryFolder()
const dataDir = join(folder.path, 'data')
{
  await using _first = await startFairlead(dataDir, token)
}
const buildId = fillBuilds(join(dataDir, 'fairlead.db'), 1000)
const file = join(folder.path, 'upload')
await writeFile(file, randomFillSync(Buffer.alloc(512 * 2 ** 20)))

const starts: number[] = []
for (let round = 0; round < rounds; round++) {
  const started = performance.now()
  await using _server = await startFairlead(dataDir, token)
  starts.push(performance.now() - started)
}

await using server = await startFairlead(dataDir, token)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const idle: number[] = []
const busy: number[] = []
for (let round = 0; round < rounds; round++) {
  idle.push(await measureP99())
  const uploads = keepUploading(2)
  busy.push(await measureP99())
  await uploads.stop()
}

const ms = (value: number) => `${value.toFixed(1)} ms`
printTable(
  ['work', 'Fairlead', 'beside', 'ratio'],
  [
    [
      'p99 of a get beside two uploads',
      ms(median(busy)),
      `idle ${ms(median(idle))}`,
      (median(busy) / median(idle)).toFixed(2),
    ],
    ['start to first answer', ms(median(starts)), '', ''],
  ],
)

/** One request after another, a few milliseconds apart, as a patient client sends them. */
async function measureP99(): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < requestsPerRound; index++) {
    const started = performance.now()
    await request()
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

function request(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${server.url}/v1/builds/${buildId}`, { agent, headers: { 'X-Service-Token': token } }, (response) => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })
}

/** Uploads that end in 422, because only their speed matters here; each is followed by the next. */
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
