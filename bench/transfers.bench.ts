/** A build of 1 GiB up and down, beside nginx (which neither hashes nor syncs) and `cat; sha256sum`. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeApk } from '@fairlead/binary/fixture'
import { printTable, takeTurns } from './measure.ts'
import { startNginx } from './nginx.ts'
import { bothCores, openTemporaryFolder, readPeakMemory, run, startFairlead } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const mebibytes = 1024

await using folder = await openTemporaryFolder()
const apk = join(folder.path, 'app.apk')
const size = writeLargeApk(apk)

await using nginx = await startNginx(folder.path)
await symlink(apk, join(folder.path, 'files', 'app.apk'))
await using fairlead = await startFairlead(join(folder.path, 'data'), token, bothCores)

await api('POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
const { id: keptId } = await upload()
const before = await readPeakMemory(fairlead.pid)

const seconds = await takeTurns(rounds, {
  nginxUp: () => time(['-T', apk, `${nginx.url}/upload.apk`]),
  up: async () => {
    const { id, took } = await upload()
    await api('DELETE', `/v1/builds/${id}`)
    return took
  },
  copyAndHash: async () => {
    const started = performance.now()
    const copy = join(folder.path, 'copy.apk')
    spawnSync('sh', ['-c', `cat ${apk} > ${copy}; sha256sum ${copy}`])
    await rm(copy)
    return (performance.now() - started) / 1000
  },
  nginxDown: () => time(['-o', '/dev/null', `${nginx.url}/app.apk`]),
  down: () =>
    time(['-o', '/dev/null', '-H', `X-Service-Token: ${token}`, `${fairlead.url}/v1/builds/${keptId}/binary`]),
})

const rate = (time: number) => size / 2 ** 20 / time
const row = (work: string, own: number, peer: string, theirs: number) => [
  work,
  `${Math.round(rate(own))} MiB/s`,
  `${peer} ${Math.round(rate(theirs))} MiB/s`,
  (theirs / own).toFixed(2),
]
printTable(
  ['work', 'Fairlead', 'beside', 'ratio'],
  [
    row('upload 1 GiB, hashed and durable', seconds.up, 'nginx PUT', seconds.nginxUp),
    row('the same', seconds.up, 'cat; sha256sum', seconds.copyAndHash),
    row('download 1 GiB', seconds.down, 'nginx', seconds.nginxDown),
  ],
)
const peak = await readPeakMemory(fairlead.pid)
const toMebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)
console.log(`\npeak memory: ${toMebibytes(before)} MiB after the first upload, ${toMebibytes(peak)} MiB after all`)

async function upload(): Promise<{ id: number; took: number }> {
  const headers = ['-H', `X-Service-Token: ${token}`, '-H', 'X-Service-Application-Alias: bench']
  const output = await run('curl', [
    '-sSf',
    ...headers,
    '-w',
    '\n%{time_total}',
    '-X',
    'POST',
    '-T',
    apk,
    `${fairlead.url}/v2/builds`,
  ])
  const [body = '', took] = output.trim().split('\n')
  return { id: (JSON.parse(body) as { id: number }).id, took: Number(took) }
}

async function time(args: string[]): Promise<number> {
  return Number(await run('curl', ['-s', '-S', '-f', '-w', '%{time_total}', ...args]))
}

async function api(method: string, path: string, json?: unknown): Promise<void> {
  const headers = { 'X-Service-Token': token, 'Content-Type': 'application/json' }
  const answer = await fetch(fairlead.url + path, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
}

/** A valid APK whose one large asset comes first; the archive's own end stays as small as it is. */
function writeLargeApk(path: string): number {
  const data = Buffer.alloc(mebibytes * 2 ** 20)
  for (let at = 0; at < data.length; at += 4) data.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  const bytes = writeApk({ packageName: 'com.example.bench', schemes: [], files: [{ name: 'assets/data', data }] })
  const file = openSync(path, 'w')
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 2 ** 26))
  closeSync(file)
  return bytes.length
}
