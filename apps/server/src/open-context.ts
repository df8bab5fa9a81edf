import { join } from 'node:path'
import { invariant } from '@fairlead/invariant'
import { createAppReader } from '@fairlead/binary'
import { createCrashReader } from '@fairlead/crashes'
import { createLogReader, createReportReader } from '@fairlead/reports'
import { createSymbolicator } from '@fairlead/symbols'
import { pino } from 'pino'
import { writeInstalls } from './builds/count-install.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import { openDiskReserve } from './blobs/disk-reserve.ts'
import { openFileStore } from './blobs/file-store.ts'
import { openProcessFolder, type ProcessFolder } from './blobs/process-folder.ts'
import { openStaging } from './blobs/staging.ts'
import { createCommitReader } from './commit-lists/commit-reader.ts'
import type { Config } from './config.ts'
import { openLogStream } from './log-stream.ts'
import type { AppContext } from './context.ts'
import { openDataFolder } from './data-folder.ts'
import { type FolderLock, lockFolder } from './db/folder-lock.ts'
import { openDatabase } from './db/open.ts'
import { openPostgresChangeFeed } from './db/postgres-change-feed.ts'
import { createDeviceReader } from './device-messages/device-reader.ts'
import type { NewInstall } from './db/schema.ts'
import { createBatch } from './jobs/batch.ts'
import { WakeUp } from './jobs/wake-up.ts'
import { createDatabaseAttempts } from './passwords/database-attempts.ts'
import { openProviders } from './oidc/open-providers.ts'
import { createGuard } from './passwords/guard.ts'
import { encryptStoredSecrets } from './secrets/encrypt-stored.ts'
import { createPictureCleaner } from './pictures/picture-cleaner.ts'
import { openSigningKey } from './secrets/signing-key.ts'

/** Opens the services that the configuration names. If one fails, those opened before it are closed again. */
export async function openContext(config: Config): Promise<AppContext> {
  await using opened = new AsyncDisposableStack()
  const log = pino({ level: config.logLevel }, opened.use(openLogStream()))
  await openDataFolder(config, log)
  if (config.databaseUrl === null) opened.adopt<FolderLock>(lockFolder(config.dataDir), (lock) => lock.release())
  const { db, memo, feed: ownFeed } = await openDatabase(config, log)
  opened.defer(() => db.destroy())
  const feed = ownFeed ?? opened.use(await openPostgresChangeFeed(requireUrl(config), log))
  await encryptStoredSecrets(db, config)
  const reserve = await openDiskReserve({
    folder: config.dataDir,
    ballastPath: await toBallastPath(config, opened),
    bytes: config.diskReserveBytes,
  })
  const staging = opened.use(await openStaging((await openFolder(config, 'staging', opened)).path, reserve))
  const store = opened.use(await openStore(config, opened))
  const readers = {
    apps: opened.use(createAppReader({ workers: 2, maxRunningPerKey: 1 })),
    commits: opened.use(createCommitReader()),
    crashes: opened.use(createSymbolicator({ workers: 2, maxRunningPerKey: 1 })),
    deliveries: opened.use(createCrashReader()),
    devices: opened.use(createDeviceReader()),
    logs: opened.use(createLogReader()),
    pictures: opened.use(createPictureCleaner()),
    reports: opened.use(createReportReader()),
  }
  const signingKey = await openSigningKey(db)
  const installs = opened.use(createBatch((items: NewInstall[]) => writeInstalls(db, items), log))
  const closers = opened.move()
  return {
    config,
    db,
    memo,
    feed,
    blobs: { ...store, staging, delivery: config.delivery, reserve },
    log,
    readers,
    jobs: new WakeUp(),
    installs,
    signingKey,
    // Only replicas have to count together; one process counts in its memory, which costs no writes.
    guard: createGuard(config.databaseUrl === null ? undefined : createDatabaseAttempts(db)),
    providers: openProviders(config.oidc.providers),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

function requireUrl({ databaseUrl }: Config): string {
  invariant(databaseUrl !== null, 'the embedded database tells its changes itself')
  return databaseUrl
}

/** The AWS SDK takes a quarter of a second to load, so it is loaded only where it is used. */
async function openStore(config: Config, opened: AsyncDisposableStack): Promise<BlobStore & AsyncDisposable> {
  if (config.storage === null) return openFileStore(join(config.dataDir, 'blobs'))
  const { openS3Store } = await import('./blobs/s3-store.ts')
  const { path } = await openFolder(config, 'cache', opened)
  return openS3Store(config.storage, { cacheFolder: path, maxCacheBytes: config.maxCacheBytes })
}

/**
 * With the embedded database the path is always the same, so a start on a full disk can delete the ballast of the last
 * run.
 */
async function toBallastPath(config: Config, opened: AsyncDisposableStack): Promise<string> {
  const folder = config.databaseUrl === null ? config.dataDir : (await openFolder(config, 'reserve', opened)).path
  return join(folder, 'ballast')
}

/** With the embedded database, a lock on the data folder ensures that no other process uses the folder. */
async function openFolder(config: Config, name: string, opened: AsyncDisposableStack): Promise<ProcessFolder> {
  return opened.use(await openProcessFolder(join(config.dataDir, name), config.databaseUrl === null))
}
