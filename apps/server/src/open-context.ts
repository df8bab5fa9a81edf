import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAppReader } from '@fairlead/binary'
import { createReportReader } from '@fairlead/reports'
import { createSymbolicator } from '@fairlead/symbols'
import { pino } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import { openFileStore } from './blobs/file-store.ts'
import { openStaging } from './blobs/staging.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import { type FolderLock, lockFolder } from './db/folder-lock.ts'
import { openDatabase } from './db/open.ts'
import { WakeUp } from './jobs/wake-up.ts'
import { createGuard } from './passwords/guard.ts'
import { openSigningKey } from './secrets/signing-key.ts'

/** Opens the services that the configuration names. If one fails, those opened before it are closed again. */
export async function openContext(config: Config): Promise<AppContext> {
  await mkdir(config.dataDir, { recursive: true })
  await using opened = new AsyncDisposableStack()
  const log = pino({ level: config.logLevel })
  if (config.databaseUrl === null) opened.adopt<FolderLock>(lockFolder(config.dataDir), (lock) => lock.release())
  const { db, memo } = await openDatabase(config)
  opened.defer(() => db.destroy())
  const staging = opened.use(await openStaging(join(config.dataDir, 'staging', stagingName(config))))
  const store = opened.use(await openStore(config))
  const readers = {
    apps: opened.use(createAppReader()),
    crashes: opened.use(createSymbolicator()),
    reports: opened.use(createReportReader()),
  }
  const signingKey = await openSigningKey(db)
  const closers = opened.move()
  return {
    config,
    db,
    memo,
    blobs: { ...store, staging, delivery: config.delivery },
    log,
    readers,
    jobs: new WakeUp(),
    signingKey,
    guard: createGuard(),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** The AWS SDK takes a quarter of a second to load, so it is loaded only where it is used. */
async function openStore(config: Config): Promise<BlobStore & AsyncDisposable> {
  if (config.storage === null) return openFileStore(join(config.dataDir, 'blobs'))
  const { openS3Store } = await import('./blobs/s3-store.ts')
  const cacheFolder = join(config.dataDir, 'cache', stagingName(config))
  return openS3Store(config.storage, { cacheFolder, maxCacheBytes: config.maxCacheBytes })
}

/** Names the staging folder. Replicas that share a data folder must not delete each other's uploads at a start. */
function stagingName(config: Config): string {
  return config.databaseUrl === null ? 'only' : `port-${config.port}`
}
