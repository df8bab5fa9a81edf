/** Runs the server under the conditions of a file in `deploy/` and uses each feature once. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeApk } from '@fairlead/binary/fixture'
import type { Build } from '@fairlead/contract'
import { startHookReceiver } from '../../apps/server/src/testing/hook-receiver.ts'
import { readJson } from '../../scripts/read-json.ts'
import type { Conditions } from './conditions.ts'
import { openTemporaryFolder, serverSource, startServerProcess, token } from './server-process.ts'
import { useFeatures } from './use-features.ts'

/** Starts the server, takes a build, symbols, a crash and a test report, and uses all other features. */
export async function useConfinedServer(conditions: Conditions): Promise<void> {
  await using receiver = await startHookReceiver()
  await using folder = await openTemporaryFolder()
  await chmod(folder.path, 0o755)
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir)
  await chown(dataDir, conditions.uid, conditions.uid)
  using group = conditions.memoryBytes === null ? undefined : limitMemory(conditions.memoryBytes)
  const command = await confine(conditions, folder.path, dataDir, group)
  await using server = await startServerProcess({
    dataDir,
    env: { ...conditions.env, FAIRLEAD_HOOKS_ALLOW: receiver.host },
    command,
    program: serverSource,
  })
  // The server is a child of `unshare` and survives it, because it has another user.
  const pid = findChild(server.pid)
  using _end = { [Symbol.dispose]: () => void (existsSync(`/proc/${pid}`) && process.kill(pid, 'SIGKILL')) }
  const send = async (path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'X-Service-Token': token, ...headers },
      body,
    })
    const text = await answer.text()
    assert.ok(answer.status < 300, `${path} ${answer.status} ${text} ${server.output().slice(-2000)}`)
    return text
  }
  const application = JSON.stringify({ name: 'Shop', alias: 'shop', platform: 'android' })
  await send('/v1/applications', { 'Content-Type': 'application/json' }, application)
  const alias = { 'X-Service-Application-Alias': 'shop' }
  const build = new Uint8Array(writeApk({ packageName: 'com.example.shop' }))
  const uploaded = readJson<Build>(await send('/v2/builds', alias, build))
  const mapping = '# compiler: R8\n# pg_map_id: 0123abc\ncom.example.Shop -> a.a:\n'
  await send('/v2/symbolsFiles', { ...alias, ...mappingHeaders }, mapping)
  const trace = 'java.lang.Error: x\n\tat a.a.open(S.java:1)\n'
  const report = await send('/v1/applications/1/crashes', {}, trace)
  assert.match(report, /id/)
  const junit = '<testsuite name="unit"><testcase name="a" classname="b"/></testsuite>'
  await send('/v1/testReports', { ...alias, 'X-Service-Branch': 'main' }, junit)
  await useFeatures({ url: server.url, build: uploaded, receiver })
  const status = readStatus(pid)
  assert.equal(server.hasEnded(), false)
  if (conditions.memoryBytes !== null) {
    // The limit is one for the server and the processes that read files.
    const peak = [pid, ...listChildren(pid)].reduce((sum, one) => sum + readStatus(one).peakBytes, 0)
    assert.ok(peak < conditions.memoryBytes, `${peak} bytes at most`)
  }
  if (group) {
    const members = group.list()
    for (const one of [pid, ...listChildren(pid)]) assert.ok(members.includes(one), `${one} is outside of the limit`)
    assert.equal(group.countKilled(), 0)
  }
  assert.doesNotMatch(server.output(), /"level":(50|60)/)
  assert.equal(status.uid, conditions.uid)
  if (!conditions.hasCapabilities) assert.equal(BigInt(`0x${status.capabilities}`), 0n)
  assert.equal(status.hasFilter, conditions.filter !== null)
}

const mappingHeaders = {
  'X-Service-Package': 'com.example.shop',
  'X-Service-Version-Name': '1.0',
  'X-Service-Version-Code': '7',
}

/** Says why the conditions cannot be made on this machine; false when they can. */
export function findObstacle(): string | false {
  const missing = findMissing()
  if (missing !== undefined) assert.notEqual(process.env.CI, 'true', `nothing may be left out here: ${missing}`)
  return missing ?? false
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  if (spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status !== 0) return 'needs permission to mount'
  if (!existsSync('/usr/include/seccomp.h')) return 'needs libseccomp-dev'
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return 'needs systemd-analyze'
  const reader = [
    '--reuid=64001',
    '--regid=64001',
    '--clear-groups',
    'test',
    '-r',
    join(import.meta.dirname, '../../package.json'),
  ]
  return spawnSync('setpriv', reader).status === 0 ? undefined : 'needs a checkout that other users may read'
}

/** Returns the command line of Node under these conditions. */
async function confine(
  conditions: Conditions,
  folder: string,
  dataDir: string,
  group: MemoryGroup | undefined,
): Promise<[string, ...string[]]> {
  const { uid, filter, hasCapabilities, hasNoNewPrivileges, hidesProc, isRootReadOnly } = conditions
  const script = join(folder, 'confine.sh')
  const privileges = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    ...(hasCapabilities ? [] : ['--bounding-set=-all', '--inh-caps=-all']),
    ...(hasNoNewPrivileges ? ['--no-new-privs'] : []),
  ]
  const runner = filter === null ? [] : [await buildRunner(folder), filter.refusal, ...filter.allowed, '--']
  const proc = hidesProc ? 'subset=pid,hidepid=invisible' : 'rw'
  await writeFile(
    script,
    [
      'set -e',
      // Zero stands for the process that writes it.
      ...(group ? [`echo 0 > ${group.path}/cgroup.procs`] : []),
      'mount --make-rprivate /',
      `mount -t proc -o ${proc} proc /proc`,
      // A folder that is mounted on itself stays writable when the root becomes read-only.
      `mount --bind ${dataDir} ${dataDir}`,
      ...(isRootReadOnly ? ['mount -o remount,bind,ro /'] : []),
      `cd ${join(import.meta.dirname, '../..')}`,
      `exec ${[...privileges, ...runner].join(' ')} "$@"`,
    ].join('\n'),
  )
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', script, process.execPath]
}

/** A control group with a limit of memory, for a process and those that it starts. */
interface MemoryGroup extends Disposable {
  path: string
  /** The processes of the group. */
  list(): number[]
  /** How many of its processes the kernel has ended because the group was at its limit. */
  countKilled(): number
}

/** Both versions of control groups are in use. */
const memoryHierarchies = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
]

/** Makes a control group. Undefined where none can be made, as in a container; the peaks are compared in any case. */
function limitMemory(bytes: number): MemoryGroup | undefined {
  for (const { folder, limit, events } of memoryHierarchies) {
    const path = join(folder, `fairlead-${randomUUID()}`)
    try {
      mkdirSync(path)
    } catch {
      continue
    }
    try {
      writeFileSync(join(path, limit), String(bytes), { flag: 'r+' })
    } catch {
      rmdirSync(path)
      continue
    }
    const list = () => readFileSync(join(path, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
    return {
      path,
      list,
      countKilled: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(path, events), 'utf8'))?.[1]),
      [Symbol.dispose]() {
        // The processes have been killed, but the kernel may still be taking them apart.
        for (let tries = 0; list().length > 0 && tries < 100; tries++) spawnSync('sleep', ['0.05'])
        rmdirSync(path)
      },
    }
  }
  return undefined
}

async function buildRunner(folder: string): Promise<string> {
  const program = join(folder, 'run-confined')
  const source = join(import.meta.dirname, 'run-confined.c')
  const { status, stderr } = spawnSync('cc', ['-O1', '-Wall', '-o', program, source, '-lseccomp'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return program
}

interface Status {
  uid: number
  /** The largest resident set that the process has had. */
  peakBytes: number
  capabilities: string
  hasFilter: boolean
}

function findChild(pid: number): number {
  return listChildren(pid)[0] ?? 0
}

/** Lists what a process has started, by whichever of its threads. */
function listChildren(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** Reads what the kernel says about a process. */
function readStatus(pid: number): Status {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(text)?.[1] ?? ''
  return {
    uid: Number(read('Uid')),
    peakBytes: Number(read('VmHWM')) * 1024,
    capabilities: read('CapBnd'),
    hasFilter: read('Seccomp') === '2',
  }
}
