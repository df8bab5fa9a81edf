/** Measures the cost of `secure_delete`, and the time and memory that hostile payloads take. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findCrashFixtures } from '../apps/server/src/testing/crashes.ts'
import { call, token } from './call.ts'
import { createEnvelope } from './crash-envelope.ts'
import { median, printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, readTreeCpuTime, startFairlead } from './processes.ts'
import { readJson } from '../scripts/read-json.ts'

await using folder = await openTemporaryFolder()
const rows: (string | number)[][] = []

/** Inserts bodies and deletes them again as the inbox does: 10 rows a commit, 50 deleted at once. */
async function measureSecureDelete(): Promise<void> {
  const { gzip } = createEnvelope(0)
  let file = 0
  const fill = (isSecure: boolean) => async () => {
    using database = new DatabaseSync(join(folder.path, `secure-${file++}.db`))
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
    database.exec(`pragma secure_delete = ${isSecure ? 'on' : 'off'}`)
    database.exec('create table inbox (id integer primary key, body blob not null)')
    const insert = database.prepare('insert into inbox (body) values (?)')
    const before = process.cpuUsage()
    for (let row = 0; row < 3000; row += 50) {
      for (let commit = 0; commit < 5; commit++) {
        database.exec('begin')
        for (let place = 0; place < 10; place++) insert.run(gzip)
        database.exec('commit')
      }
      database.exec(`delete from inbox where id <= ${row + 50}`)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const costs = await takeTurns(7, { on: fill(true), off: fill(false) })
  const on = `${costs.on.toFixed(0)} ms`
  rows.push([
    '3,000 deliveries in and out, secure_delete on',
    on,
    `off, ${costs.off.toFixed(0)} ms`,
    toRatio(costs.on, costs.off),
    '',
  ])
}

/**
 * Returns the memory of a process and of its worker processes in MiB. A page that several processes share counts once,
 * because each has its share of it in the proportional set size.
 */
function readMemory(pid: number): number {
  try {
    const own = Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + readMemory(Number(child)), own)
  } catch {
    // It has just ended.
    return 0
  }
}

/** Waits until the memory stays the same for a second, so that processes that are starting belong to it. */
async function waitForIdle(pid: number): Promise<number> {
  for (let before = readMemory(pid); ;) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = readMemory(pid)
    if (Math.abs(now - before) < 1) return now
    before = now
  }
}

/** Sends every payload of the fixtures in order, and records the time of each answer and the memory in use. */
async function measurePayloads(fixtures: string): Promise<void> {
  await using server = await startFairlead(join(folder.path, 'payloads'), token, '0,1')
  await call(server.url, 'POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const { key } = await call<{ key: string }>(server.url, 'POST', '/v1/applications/1/crashKeys', { name: 'Bench' })
  const fill = (text: string) => text.replaceAll('{app}', '1').replaceAll('{key}', key)
  const hostile = readFileSync(join(fixtures, 'hostile/MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1)
  const requests = hostile
    .map((line) => line.split('\t'))
    .filter(([file = '']) => !file.endsWith('.http'))
    .map(([file = '', method = 'POST', path = '', headers = '{}']) => {
      const given = readJson<Record<string, string>>(fill(headers))
      return { group: 'hostile', file: `hostile/${file}`, method, path: fill(path), headers: given }
    })
  const truth = readJson<Record<string, { protocol: string }>>(readFileSync(join(fixtures, 'truth.json'), 'utf8'))
  const paths: Record<string, string> = {
    'sentry-envelope': `/api/1/envelope/?sentry_key=${key}`,
    'sentry-store': `/api/1/store/?sentry_key=${key}`,
    appcenter: '/api/appcenter/logs?api-version=1.0.0',
    raw: '/v1/applications/1/crashes',
  }
  const types: Record<string, string> = {
    'acra-form': 'application/x-www-form-urlencoded',
    'acra-multipart': 'multipart/form-data; boundary=%&ACRA_REPORT_DIVIDER&%',
  }
  for (const [file, { protocol }] of Object.entries(truth)) {
    const headers = {
      'App-Secret': key,
      'X-Service-Crash-Key': key,
      'Content-Type': types[protocol] ?? 'application/json',
    }
    requests.push({ group: 'of SDKs', file, method: 'POST', path: paths[protocol] ?? `/api/acra/${key}`, headers })
  }
  const idle = await waitForIdle(server.pid)
  let peak = idle
  const watching = setInterval(() => (peak = Math.max(peak, readMemory(server.pid))), 20)
  const times = new Map<string, { ms: number; cpu: number; file: string }[]>()
  for (const { group, file, method, path, headers } of requests) {
    const body = readFileSync(join(fixtures, file))
    const before = await readTreeCpuTime(server.pid)
    const started = performance.now()
    const answer = await fetch(server.url + path, { method, headers, body: method === 'GET' ? null : body })
    await answer.arrayBuffer()
    if (answer.status >= 500) throw new Error(`${file}: ${answer.status}`)
    const list = times.get(group) ?? []
    const ms = performance.now() - started
    list.push({ ms, cpu: ((await readTreeCpuTime(server.pid)) - before) / 1000, file })
    times.set(group, list)
  }
  clearInterval(watching)
  for (const [group, list] of times) {
    for (const measure of ['ms', 'cpu'] as const) {
      const slowest = list.toSorted((one, other) => other[measure] - one[measure])[0]!
      const middle = `median ${median(list.map((one) => one[measure])).toFixed(1)} ms`
      const name = `${list.length} payloads ${group}, ${measure === 'ms' ? 'slowest answer' : 'most CPU time'}`
      rows.push([name, `${slowest[measure].toFixed(0)} ms`, `${slowest.file}, ${middle}`, '', '≤ 1 s'])
    }
  }
  rows.push([
    'memory of all processes above idle',
    `${(peak - idle).toFixed(0)} MiB`,
    `idle ${idle.toFixed(0)} MiB`,
    '',
    '≤ 100 MB',
  ])
}

function toRatio(one: number, other: number): string {
  return (one / other).toFixed(2)
}

await measureSecureDelete()
const fixtures = findCrashFixtures()
if (fixtures !== undefined && globSync('hostile/*', { cwd: fixtures }).length > 0) await measurePayloads(fixtures)
printTable(['work', 'Fairlead', 'compared with', 'ratio', 'wanted'], rows)
