/**
 * A temporary S3 server: Ceph's object gateway over one monitor and one storage daemon in a temporary folder, on ports
 * of this machine only. It is ready after some 15 seconds and takes about 350 MB of memory.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { findFreePort } from './free-port.ts'

export interface Radosgw extends AsyncDisposable {
  /** An endpoint such as `http://127.0.0.1:34567`; buckets are in the path. */
  endpoint: string
  /** The access key, as the AWS SDK finds it in the environment. */
  environment: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** Creates a bucket and returns its address for `FAIRLEAD_STORAGE_URL`. */
  createBucket(name: string): Promise<string>
  /** Kills the gateway with SIGKILL, and starts it again on the same port with the same objects. */
  restart(): Promise<void>
}

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph-authtool', 'monmaptool', 'ceph']
const accessKeyId = 'fairlead-test'
const secretAccessKey = 'fairlead-test-secret'
/** A start that takes longer than this has failed, in milliseconds. */
const startTimeoutMs = 120_000

/** Starts the server. Returns undefined when Ceph is not installed. */
export async function startRadosgw(): Promise<Radosgw | undefined> {
  if (!programs.every((program) => existsSync(join('/usr/bin', program)))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-radosgw-'))
  await using opened = new AsyncDisposableStack()
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const monitorPorts = [await findFreePort(), await findFreePort()] as const
  const fsid = randomUUID()
  const config = join(folder, 'ceph.conf')
  writeFileSync(config, describeCluster(folder, fsid, monitorPorts, port))
  writeKeys(folder)
  startStorage(folder, config, fsid, monitorPorts, opened)
  const gateway = { process: startDaemon(folder, config, 'radosgw', ['-n', 'client.rgw']) }
  opened.defer(() => stop(gateway.process))
  const endpoint = `http://127.0.0.1:${port}`
  await waitForAnswer(endpoint, gateway.process)
  const user = ['--uid', 'fairlead', '--display-name', 'Fairlead', '--access-key', accessKeyId]
  run('radosgw-admin', ['-c', config, 'user', 'create', ...user, '--secret-key', secretAccessKey])
  const closers = opened.move()
  return {
    endpoint,
    environment: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    async createBucket(name) {
      const credentials = { accessKeyId, secretAccessKey }
      const client = new S3Client({ endpoint, region: 'default', forcePathStyle: true, credentials })
      await client.send(new CreateBucketCommand({ Bucket: name }))
      client.destroy()
      return `s3://${name}?endpoint=${endpoint}&region=default&pathStyle=true`
    },
    async restart() {
      await stop(gateway.process)
      gateway.process = startDaemon(folder, config, 'radosgw', ['-n', 'client.rgw'])
      await waitForAnswer(endpoint, gateway.process)
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/**
 * Authentication between the daemons stays on: with `auth none` the gateway never answers. The storage daemon does not
 * enter the map of devices by itself, because `crush add` fails when the daemon was quicker.
 */
function describeCluster(folder: string, fsid: string, [v2, v1]: readonly [number, number], port: number): string {
  return `[global]
fsid = ${fsid}
mon_initial_members = a
mon_host = [v2:127.0.0.1:${v2}/0,v1:127.0.0.1:${v1}/0]
public_network = 127.0.0.0/8
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = ${folder}/keyring
run_dir = ${folder}
admin_socket = ${folder}/$name.asok
pid_file = ${folder}/$name.pid
log_file = ${folder}/$name.log
mon_data = ${folder}/mon
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_data_avail_crit = 1
mon_data_avail_warn = 1
osd_data = ${folder}/osd
osd_objectstore = bluestore
osd_memory_target = 939524096
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_crush_chooseleaf_type = 0
osd_crush_update_on_start = false
bluestore_block_size = 8589934592
bluestore_block_create = true
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_gc_obj_min_wait = 5
rgw_gc_processor_period = 5
`
}

function writeKeys(folder: string): void {
  const keyring = join(folder, 'keyring')
  const owners: [string, Record<string, string>][] = [
    ['mon.', { mon: 'allow *' }],
    ['client.admin', { mon: 'allow *', osd: 'allow *', mgr: 'allow *' }],
    ['osd.0', { mon: 'allow profile osd', osd: 'allow *' }],
    ['client.rgw', { mon: 'allow rw', osd: 'allow rwx' }],
  ]
  run('ceph-authtool', ['--create-keyring', keyring])
  for (const [name, capabilities] of owners) {
    const caps = Object.entries(capabilities).flatMap(([daemon, allowed]) => ['--cap', daemon, allowed])
    run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...caps])
  }
}

function startStorage(
  folder: string,
  config: string,
  fsid: string,
  [v2, v1]: readonly [number, number],
  opened: AsyncDisposableStack,
): void {
  const map = join(folder, 'monmap')
  const disk = randomUUID()
  mkdirSync(join(folder, 'mon'))
  mkdirSync(join(folder, 'osd'))
  run('monmaptool', ['--create', '--addv', 'a', `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`, '--fsid', fsid, map])
  run('ceph-mon', ['-c', config, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', join(folder, 'keyring')])
  const monitor = startDaemon(folder, config, 'ceph-mon', ['-i', 'a'])
  opened.defer(() => stop(monitor))
  run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', disk])
  run('ceph', ['-c', config, 'osd', 'new', disk])
  const storage = startDaemon(folder, config, 'ceph-osd', ['-i', '0'])
  opened.defer(() => stop(storage))
  run('ceph', ['-c', config, 'osd', 'crush', 'add', 'osd.0', '1', 'root=default'])
}

function startDaemon(folder: string, config: string, program: string, args: string[]): ChildProcess {
  const output = openSync(join(folder, `${program}.out`), 'a')
  return spawn(program, ['-c', config, ...args, '-f'], { stdio: ['ignore', output, output] })
}

async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const exited = new Promise((resolve) => daemon.once('exit', resolve))
  daemon.kill('SIGKILL')
  await exited
}

async function waitForAnswer(endpoint: string, daemon: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if (daemon.exitCode !== null) throw new Error(`radosgw ended with status ${daemon.exitCode}`)
    const response = await fetch(endpoint).catch(() => undefined)
    if (response?.ok) return
    await wait(100)
  }
  throw new Error(`radosgw did not answer within ${startTimeoutMs / 1000} seconds`)
}

function run(program: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: startTimeoutMs })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`)
}
