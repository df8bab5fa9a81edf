import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { forgetfulMemo } from '../db/read-memo.ts'
import { requireAddress } from '../http/listening-address.ts'
import { openContext } from '../open-context.ts'
import { createInitialWorkspace } from '../set-up/first-workspace.ts'
import { copyMigratedFile } from './migrated-database.ts'
import { openPostgresClient } from './postgres-client.ts'
import { initialToken } from './start-server.ts'
import { createTestDatabase } from './test-database.ts'

export interface Replicas extends AsyncDisposable {
  /** The addresses of the servers: three over PostgreSQL, one over the embedded database. */
  urls: string[]
  /** A server over the same database that keeps nothing, if it is sent `plainHeaders`. */
  plainUrl: string
  /** Closes a server and starts it again at the same place of `urls`. */
  restart(index: number): Promise<void>
  /** Ends all connections to PostgreSQL. */
  cutConnections(): Promise<void>
}

/** A request with this header is never answered from what is kept of answers. */
export const plainHeaders = { 'X-No-Compression': '1' }

/** Starts servers over one new database and one data folder, in this process and without background work. */
export async function startReplicas(): Promise<Replicas> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-replicas-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = opened.use(await createTestDatabase())
  const { url: databaseUrl } = database
  if (databaseUrl === null) await copyMigratedFile(dataDir)
  const config = readConfig({
    FAIRLEAD_DATA_DIR: dataDir,
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: initialToken,
    // Addresses in answers must not differ between the servers.
    FAIRLEAD_BASE_URL: 'http://fairlead.test',
    ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl, FAIRLEAD_DATABASE_CONNECTIONS: '4' }),
  })
  const start = async (isFirst: boolean) => {
    await using stack = new AsyncDisposableStack()
    const context = stack.use(await openContext(config))
    if (isFirst) await createInitialWorkspace(context)
    const url = await listen(context, stack)
    // The first server lends its database to the one that keeps nothing.
    const plainUrl = isFirst ? await listen({ ...context, memo: forgetfulMemo }, stack) : url
    return { url, plainUrl, stack: stack.move() }
  }
  const running: Awaited<ReturnType<typeof start>>[] = []
  opened.defer(async () => {
    for (const one of running.toReversed()) await one.stack.disposeAsync()
  })
  for (let index = 0; index < (databaseUrl === null ? 1 : 3); index++) running.push(await start(index === 0))
  const closers = opened.move()
  return {
    get urls() {
      return running.map(({ url }) => url)
    },
    get plainUrl() {
      return running[0]?.plainUrl ?? ''
    },
    async restart(index) {
      await running[index]?.stack.disposeAsync()
      running[index] = await start(index === 0)
    },
    async cutConnections() {
      if (databaseUrl === null) return
      await using client = await openPostgresClient(databaseUrl)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

async function listen(context: AppContext, stack: AsyncDisposableStack): Promise<string> {
  const app = await createApp(context, new AbortController().signal)
  stack.defer(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${requireAddress(app.server).port}`
}
