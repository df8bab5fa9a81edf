/**
 * Measures Fairlead over PostgreSQL and S3 beside the embedded default: small requests with a thousand and with many
 * builds, transfers, downloads that nginx or the store sends, and one to three replicas with the same clients.
 * `BENCH_BUILDS` and `BENCH_MEBIBYTES` make it smaller, to try it out.
 */
import { randomFillSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { writeApk } from '@fairlead/binary/fixture'
import { Client } from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { startRadosgw } from '../scripts/radosgw.ts'
import { fillBuilds } from './fill-builds.ts'
import { printTable, takeTurns } from './measure.ts'
import { bothCores, openTemporaryFolder, readPeakMemory, run, runClient } from './processes.ts'
import { type RunningServer, startPinned } from './processes.ts'
import { readJson } from '../scripts/read-json.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const many = Number(process.env.BENCH_BUILDS ?? 1_000_000)
const mebibytes = Number(process.env.BENCH_MEBIBYTES ?? 256)
const rounds = many < 1_000_000 ? 1 : 5
const seconds = many < 1_000_000 ? 1 : 3
const clients = 24
const tokenHeader = ['-H', `X-Service-Token: ${token}`]

await using opened = new AsyncDisposableStack()
const folder = opened.use(await openTemporaryFolder()).path
const postgres = await startPostgres()
const s3 = await startRadosgw()
if (!postgres || !s3) throw new Error('this bench needs PostgreSQL and Ceph')
opened.use(s3)
opened.use(postgres)
const storageUrl = await s3.createBucket('bench')
console.log(`load average at the start: ${loadavg()[0]?.toFixed(1)}\n`)

async function start(name: string, env: Record<string, string> = {}, cores = bothCores): Promise<RunningServer> {
  const port = await findFreePort()
  const program = join(import.meta.dirname, '../apps/server/src/main.ts')
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, program], {
    cores,
    env: {
      FAIRLEAD_PORT: String(port),
      FAIRLEAD_DATA_DIR: join(folder, name),
      FAIRLEAD_INITIAL_API_TOKEN: token,
      FAIRLEAD_LOG_LEVEL: 'warn',
      ...env,
    },
  })
}

/** Creates a new database in the cluster, and returns it and the shared bucket as settings. */
async function createReplicaSettings(name: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: postgres?.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(postgres?.url ?? '')
  url.pathname = `/${name}`
  return { FAIRLEAD_DATABASE_URL: url.href, FAIRLEAD_STORAGE_URL: storageUrl, ...s3?.environment }
}

const pathsOf = (server: RunningServer, buildId: number, applicationId: number) => ({
  get: `${server.url}/v1/builds/${buildId}`,
  list: `${server.url}/v1/applications/${applicationId}/builds?limit=50`,
})

async function startEmbedded(count: number) {
  await (await start(`embedded-${count}`))[Symbol.asyncDispose]()
  const buildId = await fillBuilds(join(folder, `embedded-${count}`, 'fairlead.db'), count)
  return pathsOf(opened.use(await start(`embedded-${count}`)), buildId, 1)
}

async function startShared(count: number) {
  const settings = await createReplicaSettings(`filled_${count}`)
  const server = opened.use(await start(`shared-${count}`, settings))
  return pathsOf(server, await fillBuilds(settings['FAIRLEAD_DATABASE_URL'] ?? '', count), 1)
}

/** Measures requests per second of wall-clock time, because the server's CPU time does not include the database's. */
async function countRequests(url: string): Promise<number> {
  const output = await run('wrk', ['-t1', `-c${clients}`, `-d${seconds}s`, '-H', `X-Service-Token: ${token}`, url])
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}

const rows: (string | number)[][] = []
const perSecond = (rate: number) => `${Math.round(rate)}/s`
const compare = (work: string, own: number, peer: string, theirs: number, unit: (value: number) => string) =>
  rows.push([work, unit(own), `${peer} ${unit(theirs)}`, (own / theirs).toFixed(2)])

const embedded = await startEmbedded(1000)
const shared = await startShared(1000)
const large = await startShared(many)
const rates = await takeTurns(rounds, {
  embeddedGet: () => countRequests(embedded.get),
  get: () => countRequests(shared.get),
  getOfMany: () => countRequests(large.get),
  embeddedList: () => countRequests(embedded.list),
  list: () => countRequests(shared.list),
  listOfMany: () => countRequests(large.list),
})
compare('get a build', rates.get, 'embedded', rates.embeddedGet, perSecond)
compare(`get, of ${many}`, rates.getOfMany, 'of 1,000', rates.get, perSecond)
compare('list 50 builds', rates.list, 'embedded', rates.embeddedList, perSecond)
compare(`list, of ${many}`, rates.listOfMany, 'of 1,000', rates.list, perSecond)

const apk = join(folder, 'app.apk')
const data = randomFillSync(Buffer.alloc(mebibytes * 2 ** 20))
await writeFile(
  apk,
  writeApk({ packageName: 'com.example.bench', schemes: [], files: [{ name: 'assets/data', data }] }),
)
const size = (await readFile(apk)).length

const handOffPort = await findFreePort()
const handOff = opened.use(
  await start('hand-off', {
    FAIRLEAD_ACCEL: 'x-accel-redirect:/internal/',
    FAIRLEAD_BASE_URL: `http://127.0.0.1:${handOffPort}`,
  }),
)
const settings = await createReplicaSettings('transfers')
const store = opened.use(await start('store', settings))
const front = opened.use(await startFront(handOffPort, handOff.url))
const onFiles = await createUploader(handOff.url)
const onStore = await createUploader(store.url)
const kept = await onFiles()
const stored = await onStore()
const download = (url: string) => timeCurl(['-L', '-o', '/dev/null', ...tokenHeader, url])
const times = await takeTurns(rounds, {
  upload: async () => (await onFiles()).took,
  uploadToStore: async () => (await onStore()).took,
  nginx: () => download(`${front.url}/plain/app.apk`),
  handOff: () => download(`${front.url}/v1/builds/${kept.id}/binary`),
  server: () => download(`${handOff.url}/v1/builds/${kept.id}/binary`),
  presigned: () => download(`${store.url}/v1/builds/${stored.id}/binary?redirect=true`),
  throughServer: () => download(`${store.url}/v1/builds/${stored.id}/binary`),
})
const rate = (time: number) => size / 2 ** 20 / time
const perMebibyte = (value: number) => `${Math.round(value)} MiB/s`
compare(`upload ${mebibytes} MiB to S3`, rate(times.uploadToStore), 'to files', rate(times.upload), perMebibyte)
compare('download, handed to nginx', rate(times.handOff), 'nginx alone', rate(times.nginx), perMebibyte)
compare(
  'download by presigned URL',
  rate(times.presigned),
  'through the server',
  rate(times.throughServer),
  perMebibyte,
)

const replicas: RunningServer[] = []
const single = new Map<string, number>()
for (let count = 1; count <= 3; count++) {
  replicas.push(opened.use(await start(`replica-${count}`, settings)))
  const balanced = await startBalancer(replicas.map(({ url }) => url))
  for (const [work, path] of [
    ['get', `/v1/builds/${stored.id}`],
    ['list', '/v1/applications?limit=50'],
  ] as const) {
    const result = await takeTurns(rounds, { own: () => countRequests(`${balanced.url}${path}`) })
    if (count === 1) single.set(work, result.own)
    compare(`${work}, replicas: ${count}`, result.own, 'one replica', single.get(work) ?? 1, perSecond)
  }
  await balanced[Symbol.asyncDispose]()
}

printTable(['work', 'PostgreSQL + S3', 'beside', 'ratio'], rows)
const inMebibytes = async ({ pid }: RunningServer) => `${Math.round((await readPeakMemory(pid)) / 2 ** 20)} MiB`
console.log(`\npeak memory: files ${await inMebibytes(handOff)}, S3 ${await inMebibytes(store)},`)
for (const replica of replicas) console.log(`replica ${await inMebibytes(replica)}`)
console.log(`load average at the end: ${loadavg()[0]?.toFixed(1)}`)

async function startNginx(port: number, http: string): Promise<RunningServer> {
  const own = join(folder, `nginx-${port}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    `${own}.conf`,
    `daemon off; worker_processes 1; user root; pid ${own}.pid; error_log stderr crit;
     events { worker_connections 512; }
     http { access_log off; sendfile on; client_max_body_size 0;
       ${temporary.map((name) => `${name}_temp_path ${own}-${name};`).join(' ')} ${http} }`,
  )
  return startPinned(`http://127.0.0.1:${port}`, ['nginx', '-c', `${own}.conf`], { cores: bothCores })
}

function startFront(port: number, server: string): Promise<RunningServer> {
  return startNginx(
    port,
    `server { listen 127.0.0.1:${port};
       location / { proxy_pass ${server}; proxy_set_header Host $http_host; }
       location /plain/ { alias ${folder}/; }
       location /internal/ { internal; alias ${folder}/hand-off/blobs/; } }`,
  )
}

async function startBalancer(urls: string[]): Promise<RunningServer> {
  const port = await findFreePort()
  const servers = urls.map((url) => `server ${new URL(url).host};`).join(' ')
  return startNginx(
    port,
    `upstream replicas { ${servers} keepalive 64; }
     server { listen 127.0.0.1:${port}; location / {
       proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
  )
}

/** Creates an application, and returns a function that uploads the same build to it. */
async function createUploader(url: string): Promise<() => Promise<{ id: number; took: number }>> {
  const headers = { 'X-Service-Token': token, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Bench', alias: 'bench', platform: 'android' })
  const answer = await fetch(`${url}/v1/applications`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(`the application was not created: ${answer.status}`)
  return async () => {
    const alias = ['-H', 'X-Service-Application-Alias: bench']
    const options = ['-sSf', '-X', 'POST', '-w', '\n%{time_total}', '-T', apk]
    const output = await run('curl', [...options, ...tokenHeader, ...alias, `${url}/v2/builds`])
    const [build = '', took] = output.trim().split('\n')
    return { id: readJson<{ id: number }>(build).id, took: Number(took) }
  }
}

async function timeCurl(args: string[]): Promise<number> {
  return Number(await runClient('curl', ['-sSf', '-w', '%{time_total}', ...args]))
}
