/**
 * Moves an installation from the embedded default to PostgreSQL and an S3 server and back, with commands that are
 * killed in the middle and run again. `FAIRLEAD_TEST_MOVED_BUILDS` makes it larger than its short form.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it, type TestContext } from 'node:test'
import { readArchive } from '../apps/server/src/moving/archive.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { startRadosgw } from '../scripts/radosgw.ts'
import { callApi, toSha256 } from './processes/api.ts'
import { fillEmptyTables, fillWorkspace } from './processes/fill-workspace.ts'
import { openTemporaryFolder, startServerProcess } from './processes/server-process.ts'

const builds = Number(process.env.FAIRLEAD_TEST_MOVED_BUILDS ?? 40)
const program = join(import.meta.dirname, '../apps/server/src/main.ts')

describe('moving between the embedded default and PostgreSQL with S3', () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let environments: { source: Environment; replicas: Environment; target: Environment } | undefined
  const toPath = (name: string) => join(folder, name)

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    const postgres = await startPostgres()
    if (!postgres) return
    opened.use(postgres)
    const s3 = await startRadosgw()
    if (!s3) return
    opened.use(s3)
    const FAIRLEAD_STORAGE_URL = await s3.createBucket('moving')
    environments = {
      source: { FAIRLEAD_DATA_DIR: toPath('source') },
      replicas: {
        FAIRLEAD_DATA_DIR: toPath('replicas'),
        FAIRLEAD_DATABASE_URL: postgres.url,
        FAIRLEAD_STORAGE_URL,
        ...s3.environment,
      },
      target: { FAIRLEAD_DATA_DIR: toPath('target') },
    }
    for (const { FAIRLEAD_DATA_DIR: path = '' } of Object.values(environments)) await mkdir(path)
  })
  after(() => opened.disposeAsync())

  it('keeps every row and byte, there and back, although each command is killed in the middle', async (context) => {
    if (!environments) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL or Ceph is missing')
      context.skip('needs PostgreSQL and Ceph')
      return
    }
    const { source, replicas, target } = environments
    await timed(context, `fill ${builds} builds`, async () => {
      await using server = await startServerProcess({ dataDir: toPath('source') })
      await fillWorkspace(server.url, builds)
      await server.end('SIGTERM')
    })
    context.diagnostic(`made from the schema: ${fillEmptyTables(join(toPath('source'), 'fairlead.db')).join(', ')}`)

    const first = toPath('first.tar')
    await killAt(/^tables: /, source, 'export', first)
    assert.ok(existsSync(`${first}.part`) && !existsSync(first))
    await timed(context, 'export', () => run(source, 'export', first))
    await run(source, 'verify', first)

    // The import is killed before the blobs, in the middle or at the end of the blobs, and in the middle of the rows.
    for (const line of [/^entries verified: /, /^blobs: /, /^rows: |^blobs: (\d+) of \1/]) {
      await killAt(line, replicas, 'import', first)
    }
    await timed(context, 'import to PostgreSQL and S3', () => run(replicas, 'import', first))
    await timed(context, 'check --bytes on PostgreSQL and S3', () => run(replicas, 'check', '--bytes'))

    const second = toPath('second.tar')
    await killAt(/^tables: /, replicas, 'export', second)
    await timed(context, 'export from PostgreSQL and S3', () => run(replicas, 'export', second))
    const digests = await digestEntries(first)
    assert.deepEqual(await digestEntries(second), digests)

    await killAt(/^entries verified: /, target, 'import', second)
    await timed(context, 'import to the embedded default', () => run(target, 'import', second))
    await run(target, 'check', '--bytes')
    const third = toPath('third.tar')
    await run(target, 'export', third)
    assert.deepEqual(await digestEntries(third), digests)
    const kinds = Map.groupBy(Object.keys(digests), (name) => name.split('/')[0])
    const size = (statSync(first).size / 2 ** 20).toFixed(1)
    const counts = [...kinds].map(([kind, names]) => `${names.length} ${kind}`).join(', ')
    context.diagnostic(`${size} MiB, ${counts}`)

    await using moved = await startServerProcess({ dataDir: toPath('target') })
    const { json: listed } = await callApi(moved.url, 'GET', '/v1/applications/1/builds?limit=5')
    assert.equal(listed.length, 5)
    for (const { id, sha256 } of listed) {
      assert.equal(toSha256((await callApi(moved.url, 'GET', `/v1/builds/${id}/binary`)).bytes), sha256)
    }
    // An interrupted import leaves rows in a folder of its own, and the next one removes them.
    assert.deepEqual(await readdir(join(toPath('target'), 'import')), [])
  })
})

type Environment = Record<string, string>

interface Command {
  /** Resolves with the exit code, or null when a signal ended it. */
  ended: Promise<number | null>
  output(): string
}

/** Runs `fairlead-server` with a command, and kills it when it prints a line that matches. */
function start(environment: Environment, args: string[], killLine?: RegExp): Command {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, FAIRLEAD_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  createInterface({ input: child.stderr }).on('line', (line) => {
    output += `${line}\n`
    if (killLine?.test(line) === true) child.kill('SIGKILL')
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ended, output: () => output }
}

async function run(environment: Environment, ...args: string[]): Promise<void> {
  const command = start(environment, args)
  assert.equal(await command.ended, 0, `${args.join(' ')}: ${command.output()}`)
}

async function killAt(line: RegExp, environment: Environment, ...args: string[]): Promise<void> {
  const command = start(environment, args, line)
  assert.equal(await command.ended, null, `${args.join(' ')} ended before it could be killed: ${command.output()}`)
}

async function timed(context: TestContext, what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  await work()
  context.diagnostic(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** Returns the digests of an archive's rows and blobs by name. */
async function digestEntries(path: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for await (const { name, content } of readArchive(path)) {
    const hash = createHash('sha256')
    await pipeline(content, hash)
    if (name.startsWith('rows/') || name.startsWith('blobs/')) digests[name] = hash.digest('hex')
  }
  return digests
}
