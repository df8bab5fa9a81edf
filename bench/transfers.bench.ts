/**
 * Measures upload and download of a 1 GiB build, beside nginx (which neither hashes nor syncs) and `cat; sha256sum`.
 * Freeing the space of an older file is excluded, except in the row that says so.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeApk } from '@fairlead/binary/fixture'
import { printTable, takeTurns } from './measure.ts'
import { startNginx } from './nginx.ts'
import { bothCores, openTemporaryFolder, readPeakMemory, run, startFairlead } from './processes.ts'
import { readJson } from '../scripts/read-json.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const rounds = 5
const mebibytes = 1024

await using folder = await openTemporaryFolder()
const kept = join(folder.path, 'kept.apk')
const apk = join(folder.path, 'app.apk')
writeLargeApk(kept, 1)
const size = writeLargeApk(apk, 2)

await using nginx = await startNginx(folder.path)
await symlink(kept, join(folder.path, 'files', 'kept.apk'))
await using fairlead = await startFairlead(join(folder.path, 'data'), token, bothCores)

await api('POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
const { id: keptId } = await upload(kept)
const before = await readPeakMemory(fairlead.pid)
const nginxFile = join(folder.path, 'files', 'upload.apk')
const putToNginx = () => time(['-T', apk, `${nginx.url}/upload.apk`])

const seconds = await takeTurns(rounds, {
  nginxUp: async () => {
    await rm(nginxFile, { force: true })
    return putToNginx()
  },
  nginxOver: putToNginx,
  nginxHashed: async () => {
    await rm(nginxFile)
    const took = await putToNginx()
    return took + timeShell(`openssl dgst -sha256 ${nginxFile}; sync -d ${nginxFile}`)
  },
  up: async () => {
    const { id, took } = await upload(apk)
    await api('DELETE', `/v1/builds/${id}`)
    return took
  },
  copyAndHash: async () => {
    const copy = join(folder.path, 'copy.apk')
    const took = timeShell(`cat ${apk} > ${copy}; sha256sum ${copy}`)
    await rm(copy)
    return took
  },
  nginxDown: () => time(['-o', '/dev/null', `${nginx.url}/kept.apk`]),
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
    row('the same', seconds.up, 'nginx PUT over an older gibibyte', seconds.nginxOver),
    row('the same', seconds.up, 'nginx PUT; openssl dgst; sync', seconds.nginxHashed),
    row('the same', seconds.up, 'cat; sha256sum', seconds.copyAndHash),
    row('download 1 GiB', seconds.down, 'nginx', seconds.nginxDown),
  ],
)
const peak = await readPeakMemory(fairlead.pid)
const toMebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)
console.log(`\npeak memory: ${toMebibytes(before)} MiB after the first upload, ${toMebibytes(peak)} MiB after all`)

async function upload(file: string): Promise<{ id: number; took: number }> {
  const headers = ['-H', `X-Service-Token: ${token}`, '-H', 'X-Service-Application-Alias: bench']
  const output = await run('curl', [
    '-sSf',
    ...headers,
    '-w',
    '\n%{time_total}',
    '-X',
    'POST',
    '-T',
    file,
    `${fairlead.url}/v2/builds`,
  ])
  const [body = '', took] = output.trim().split('\n')
  return { id: readJson<{ id: number }>(body).id, took: Number(took) }
}

function timeShell(script: string): number {
  const started = performance.now()
  const { status } = spawnSync('sh', ['-c', script])
  if (status !== 0) throw new Error(`${script} ended with ${status}`)
  return (performance.now() - started) / 1000
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

/** Writes a valid APK whose one large asset comes first, so that the archive's directory stays small. */
function writeLargeApk(path: string, versionCode: number): number {
  const data = Buffer.alloc(mebibytes * 2 ** 20)
  for (let at = 0; at < data.length; at += 4) data.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  const bytes = writeApk({
    packageName: 'com.example.bench',
    versionCode,
    schemes: [],
    files: [{ name: 'assets/data', data }],
  })
  const file = openSync(path, 'w')
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 2 ** 26))
  closeSync(file)
  return bytes.length
}
