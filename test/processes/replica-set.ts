/**
 * Starts replicas behind nginx over one PostgreSQL: with one S3 server and each a data folder, as in containers, or
 * with one data folder that they share.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/free-port.ts'
import { type Postgres, startPostgres } from '../../scripts/postgres.ts'
import { type Radosgw, startRadosgw } from '../../scripts/radosgw.ts'
import { waitUntil } from './api.ts'
import { fillDisk } from './fill-disk.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess } from './server-process.ts'

export interface ReplicaSet extends AsyncDisposable {
  /** The address of nginx. */
  url: string
  /** The addresses of the replicas themselves. */
  urls: string[]
  postgres: Postgres
  /** Where the blobs are. */
  storage: { s3: Radosgw; url: string } | { folder: string }
  /** How many replicas there are. */
  size: number
  /** Ends a replica with a signal, and starts it again when it has ended. Returns its exit code. */
  restart(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /**
   * Fills the last replica's disk, or that of all where they share it, until the returned function is called. Undefined
   * without permission to mount.
   */
  fillDisk(): Promise<(() => Promise<void>) | undefined>
  /** The output of all processes, including those that have ended. */
  output(): string
  /** The errors that nginx has logged. */
  readProxyLog(): Promise<string>
  /** The replicas that ended without a signal of the test. */
  findEnded(): number[]
}

interface ReplicaOptions {
  env?: Record<string, string>
  /** Whether the replicas share a data folder instead of an S3 server. */
  shareFolder?: boolean
}

/** Starts the set. Returns undefined when PostgreSQL, Ceph or nginx is not installed. */
export async function startReplicas(
  size: number,
  { env = {}, shareFolder = false }: ReplicaOptions = {},
): Promise<ReplicaSet | undefined> {
  if (spawnSync('nginx', ['-v'], { env: nginxEnvironment }).error) return undefined
  await using opened = new AsyncDisposableStack()
  const postgres = await startPostgres()
  if (!postgres) return undefined
  opened.use(postgres)
  const s3 = shareFolder ? null : await startRadosgw()
  if (s3 === undefined) return undefined
  if (s3) opened.use(s3)
  const folder = opened.use(await openTemporaryFolder()).path
  await chmod(folder, 0o755)
  const toDataDir = (index: number) => join(folder, shareFolder ? 'shared' : `replica-${index}`)
  const smallDisk = toDataDir(size - 1)
  const isSmall = await mountSmallDisk(smallDisk, shareFolder ? sharedDiskBytes : smallDiskBytes, opened)
  const storage = s3 ? { s3, url: await s3.createBucket('replicas') } : { folder: smallDisk }
  const ports: number[] = []
  for (let index = 0; index <= size; index++) ports.push(await findFreePort())
  const frontPort = ports.pop() ?? 0
  const url = `http://127.0.0.1:${frontPort}`
  const processes: (ServerProcess | undefined)[] = []
  const ended: ServerProcess[] = []
  opened.defer(async () => {
    for (const one of processes) await one?.end('SIGKILL')
  })
  const start = async (index: number) => {
    processes[index] = await startServerProcess({
      dataDir: toDataDir(index),
      env: {
        FAIRLEAD_PORT: String(ports[index]),
        FAIRLEAD_BASE_URL: url,
        FAIRLEAD_DATABASE_URL: postgres.url,
        ...('s3' in storage && {
          FAIRLEAD_STORAGE_URL: storage.url,
          FAIRLEAD_DOWNLOADS: 'server',
          ...storage.s3.environment,
        }),
        ...env,
      },
    })
  }
  for (let index = 0; index < size; index++) await start(index)
  await startNginx(folder, frontPort, ports, opened)
  const closers = opened.move()
  return {
    url,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    postgres,
    storage,
    size,
    async restart(index, signal) {
      const one = processes[index]
      processes[index] = undefined
      if (one) ended.push(one)
      const code = (await one?.end(signal)) ?? null
      await start(index)
      return code
    },
    async fillDisk() {
      if (!isSmall) return undefined
      const filling = join(smallDisk, 'filling')
      fillDisk(filling)
      return () => rm(filling, { force: true })
    },
    output: () => [...ended, ...processes].map((one) => one?.output() ?? '').join(''),
    readProxyLog: () => readFile(join(folder, proxyLog), 'utf8'),
    findEnded: () => processes.flatMap((one, index) => (one?.hasEnded() === true ? [index] : [])),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

const smallDiskBytes = 32 * 2 ** 20
/** What all uploads of a run and the reserve need. */
const sharedDiskBytes = 512 * 2 ** 20

/** Mounts a file system in memory, which only root may do. */
async function mountSmallDisk(path: string, bytes: number, opened: AsyncDisposableStack): Promise<boolean> {
  await mkdir(path)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'fairlead', path])
  if (mounted.status !== 0) return false
  opened.defer(() => void spawnSync('umount', ['-l', path]))
  return true
}

const proxyLog = 'nginx.log'
const nginxEnvironment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

async function startNginx(folder: string, port: number, ports: number[], opened: AsyncDisposableStack): Promise<void> {
  const configuration = join(folder, 'nginx.conf')
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')
  await writeFile(
    configuration,
    `daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid;
     error_log ${folder}/${proxyLog} error;
     events { worker_connections 512; }
     http {
       access_log off; client_max_body_size 0;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       upstream replicas { ${servers} }
       server {
         listen 127.0.0.1:${port};
         location / {
           proxy_pass http://replicas; proxy_http_version 1.1; proxy_connect_timeout 2s;
           proxy_request_buffering off; proxy_buffering off; proxy_set_header Host $http_host;
         }
       }
     }`,
  )
  const nginx: ChildProcess = spawn('nginx', ['-c', configuration, '-p', folder], {
    stdio: 'ignore',
    env: nginxEnvironment,
  })
  opened.defer(async () => {
    if (nginx.exitCode !== null) return
    const exited = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await exited
  })
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok === true
  await waitUntil('nginx answers', isUp)
}
