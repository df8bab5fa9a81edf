/** A PostgreSQL cluster in a temporary folder, or in one that is kept, reachable from this machine only. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

export interface Postgres extends Disposable {
  /** The URL of the database `postgres`, as superuser. */
  url: string
  /** The folder of the cluster; its file `postmaster.pid` begins with the id of the process. */
  folder: string
  /** Stops the server at once, as a crash would, and starts it again on the same port. Blocks the event loop. */
  restart(): void
}

export interface PostgresOptions {
  /** Whether a commit is on the disk when it is answered. Default false, because tests are faster without. */
  isDurable?: boolean
  /** A folder that keeps the cluster for the next start. It is made where it is missing. */
  keptIn?: string | undefined
}

/** Starts a cluster. Returns undefined when PostgreSQL is not installed. */
export async function startPostgres({ isDurable = false, keptIn }: PostgresOptions = {}): Promise<
  Postgres | undefined
> {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (bin === undefined) return undefined
  if (keptIn !== undefined) mkdirSync(keptIn, { recursive: true })
  const folder = keptIn ?? mkdtempSync(join(tmpdir(), 'fairlead-postgres-'))
  if (isRoot()) chownSync(folder, ...readIds('postgres'))
  const port = await findFreePort()
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    run(bin, 'initdb', ['--pgdata', folder, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8'])
  }
  const onDisk = isDurable ? 'on' : 'off'
  const settings = `-c max_connections=300 -c fsync=${onDisk} -c full_page_writes=${onDisk}`
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} ${settings}`
  const start = ['--pgdata', folder, '--wait', '--log', join(folder, 'log'), '--options', options]
  run(bin, 'pg_ctl', [...start, 'start'])
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    restart() {
      // This also starts a server that has ended by itself.
      run(bin, 'pg_ctl', [...start, '--mode', 'immediate', 'restart'])
    },
    [Symbol.dispose]() {
      const mode = keptIn === undefined ? 'immediate' : 'fast'
      run(bin, 'pg_ctl', ['--pgdata', folder, '--mode', mode, 'stop'])
      if (keptIn === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root, so root runs it as Debian's user `postgres`. */
function run(bin: string, program: string, args: string[]): void {
  const command = isRoot() ? ['runuser', '-u', 'postgres', '--', join(bin, program)] : [join(bin, program)]
  const [name = '', ...rest] = [...command, ...args]
  const { status, stderr } = spawnSync(name, rest, { encoding: 'utf8', cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function readIds(user: string): [number, number] {
  const id = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return [id('-u'), id('-g')]
}
