import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '../blobs/file-store.ts'
import { openS3Objects } from '../blobs/s3-objects.ts'
import { type Config, readConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { copyMigratedFile } from './migrated-database.ts'
import { type Answer, call, type CallOptions, initialToken } from './call-server.ts'
import { createTestDatabase } from './test-database.ts'
import { requireAddress } from '../http/listening-address.ts'

export { type Answer, call, type CallOptions, initialToken }

export interface TestServer extends AsyncDisposable {
  url: string
  dataDir: string
  /** Null for the embedded database. */
  databaseUrl: string | null
  /** Null for files in the data folder. */
  storage: Config['storage']
  /** The initial token, an administrator of the workspace `default`. */
  token: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** The keys of all blobs that are stored, whether a row refers to them or not. */
  listBlobs(): Promise<string[]>
}

/**
 * Starts the real server in this process on a free port, over a new data folder. With `FAIRLEAD_TEST_DATABASE_URL` it
 * uses a new PostgreSQL database on that server.
 */
export async function startServer(environment: Record<string, string> = {}): Promise<TestServer> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-test-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = await createTestDatabase()
  opened.use(database)
  if (database.url === null) await copyMigratedFile(dataDir)
  const port = String(await findFreePort())
  const config = readConfig({
    FAIRLEAD_DATA_DIR: dataDir,
    FAIRLEAD_PORT: port,
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: initialToken,
    ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
    ...chooseStorage(),
    ...environment,
  })
  const server = await serve(config)
  opened.defer(() => server.close())
  const closers = opened.move()
  return {
    url: server.url,
    dataDir,
    databaseUrl: database.url,
    storage: config.storage,
    token: initialToken,
    call: (method, path, options) => call(server.url, method, path, options),
    listBlobs: () => listBlobs(config),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Gives each test server a prefix of its own in the bucket. Downloads go through the server by default. */
function chooseStorage(): Record<string, string> {
  const { FAIRLEAD_TEST_STORAGE_URL: url } = process.env
  if (url === undefined) return {}
  const storage = new URL(url)
  storage.pathname = `/${randomUUID()}`
  return { FAIRLEAD_STORAGE_URL: storage.href, FAIRLEAD_DOWNLOADS: 'server' }
}

async function listBlobs({ storage, dataDir }: Config): Promise<string[]> {
  const objects = storage === null ? undefined : await openS3Objects(storage)
  const store = objects ?? (await openFileStore(join(dataDir, 'blobs')))
  const blobs = await Array.fromAsync<{ key: string }>(store.list())
  objects?.close()
  return blobs.map(({ key }) => key)
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = requireAddress(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
