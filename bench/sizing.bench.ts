/**
 * Measures what an operator needs to choose a machine: the memory of all processes of a server, and its CPU time, while
 * it does one kind of work after the other. `query-plans.ts` prints the disk space of rows.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomFillSync } from 'node:crypto'
import { writeApk } from '@fairlead/binary/fixture'
import { createEnvelope } from './crash-envelope.ts'
import { printTable } from './measure.ts'
import { bothCores, openTemporaryFolder, run, startFairlead } from './processes.ts'
import { listProcesses, readProportionalSize, readTreeCpuTime } from './process-tree.ts'
import { readAnswer } from '../scripts/read-json.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const mebibyte = 2 ** 20
const uploads = 1
const crashes = 100
const requests = 2000
/** How often memory is read, in milliseconds. */
const interval = 100

await using folder = await openTemporaryFolder()
await using fairlead = await startFairlead(join(folder.path, 'data'), token, bothCores)
const { url } = fairlead
await call('POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
const { key } = await call<{ key: string }>('POST', '/v1/applications/1/crashKeys', { name: 'Bench' })

const large = join(folder.path, 'large.apk')
const many = join(folder.path, 'many.apk')
const mapping = join(folder.path, 'mapping.txt')
const asset = randomFillSync(Buffer.alloc(1024 * mebibyte))
await writeFile(large, writeApk({ packageName: 'com.example.bench', files: [{ name: 'assets/data', data: asset }] }))
const files = Array.from({ length: 50_000 }, (_, index) => ({ name: `res/${index}.xml`, data: Buffer.from('<a/>') }))
await writeFile(many, writeApk({ packageName: 'com.example.bench', versionCode: 2, files }))
const mappingText = Array.from({ length: 40_000 }, (_, index) => describeClass(index)).join('')
await writeFile(mapping, mappingText)
const trace = Array.from({ length: 20 }, (_, index) => `\tat c${index * 997}.a(SourceFile:${index % 20})`).join('\n')

const rows: (string | number)[][] = []
await measure('idle', 1, async () => new Promise((resolve) => setTimeout(resolve, 2000)))
await measure(`a list of builds, ${requests} times`, requests, async () => {
  for (let index = 0; index < requests; index++) await call('GET', '/v1/applications/1/builds?limit=50')
})
await measure('upload of 1 GiB', uploads, async () => {
  for (let index = 0; index < uploads; index++) await upload('/v2/builds', large)
})
await measure(`upload of an APK with ${files.length} entries`, uploads, async () => {
  for (let index = 0; index < uploads; index++) await upload('/v2/builds', many)
})
await measure(`upload of a mapping of ${Math.round(mappingText.length / mebibyte)} MiB`, 1, async () => {
  const headers = ['X-Service-Package: com.example.bench', 'X-Service-Version-Name: 1.0', 'X-Service-Version-Code: 1']
  await upload('/v2/symbolsFiles', mapping, headers)
})
await measure('a stack trace of 20 frames, 200 times', 200, async () => {
  for (let index = 0; index < 200; index++) {
    await send('/v1/applications/1/symbolicate?version=1&shortVersion=1.0', `java.lang.Error: no\n${trace}\n`)
  }
})
await measure(`${crashes} crashes of 90 kB`, crashes, async () => {
  for (let index = 0; index < crashes; index++) {
    await send(`/api/1/envelope/?sentry_key=${key}`, createEnvelope(index % 20).plain)
  }
  for (;;) {
    const { pendingCount } = await call<{ pendingCount: number }>('GET', '/v1/applications/1/crashIntake')
    if (pendingCount === 0) break
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
})
await measure('idle afterwards', 1, async () => new Promise((resolve) => setTimeout(resolve, 2000)))
printTable(['work', 'main process', 'all processes', 'processes', 'CPU time of each'], rows)

/** Does the work and adds a row with its peak of memory. Pages that processes share count once. */
async function measure(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
  const peak = { main: 0, all: 0, count: 0 }
  const read = () => {
    const sizes = listProcesses(fairlead.pid).map(readProportionalSize)
    const all = sizes.reduce((sum, size) => sum + size, 0)
    peak.main = Math.max(peak.main, sizes[0] ?? 0)
    if (all > peak.all) Object.assign(peak, { all, count: sizes.length })
  }
  const timer = setInterval(read, interval)
  const before = await readTreeCpuTime(fairlead.pid)
  await work()
  const cpu = (await readTreeCpuTime(fairlead.pid)) - before
  clearInterval(timer)
  read()
  const toMebibytes = (bytes: number) => `${Math.round(bytes / mebibyte)} MiB`
  const each = cpu / times
  const time = each < 10_000 ? `${(each / 1000).toFixed(2)} ms` : `${Math.round(each / 1000)} ms`
  const row = [name, toMebibytes(peak.main), toMebibytes(peak.all), peak.count, name.startsWith('idle') ? '' : time]
  rows.push(row)
  // A run on a busy machine takes long, so each row is shown at once.
  console.error(row.join(', '))
}

function describeClass(index: number): string {
  const methods = Array.from(
    { length: 20 },
    (_, line) => `    ${line}:${line}:void step${line}():${line + 100}:${line + 100} -> a\n`,
  )
  return `org.tarn.part${index}.Screen${index} -> c${index}:\n${methods.join('')}`
}

async function upload(path: string, file: string, headers: string[] = []): Promise<void> {
  const all = [`X-Service-Token: ${token}`, 'X-Service-Application-Alias: bench', ...headers]
  await run('curl', [
    '-sSf',
    '-o',
    '/dev/null',
    ...all.flatMap((header) => ['-H', header]),
    '-T',
    file,
    '-X',
    'POST',
    url + path,
  ])
}

async function send(path: string, body: string | Buffer): Promise<void> {
  const headers = { 'X-Service-Token': token, 'Content-Type': 'text/plain' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function call<Answer>(method: string, path: string, json?: unknown): Promise<Answer> {
  const headers = { 'X-Service-Token': token, ...(json !== undefined && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return await readAnswer<Answer>(answer)
}
