import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import { openFileStore } from './blobs/file-store.ts'
import { openStaging, type Staging } from './blobs/staging.ts'
import { type AppReader, createAppReader } from '@fairlead/binary'
import { createSymbolicator, type Symbolicator } from '@fairlead/symbols'
import type { Config } from './config.ts'
import { type FolderLock, lockFolder } from './db/folder-lock.ts'
import { type Db, openDatabase } from './db/open.ts'
import type { ReadMemo } from './db/read-memo.ts'
import { openLinkKey } from './install/link-key.ts'
import { WakeUp } from './jobs/wake-up.ts'

/** What the verbs work with. */
export interface AppContext extends AsyncDisposable {
  config: Config
  db: Db
  /** Reads of `db` that are asked for again and again. */
  memo: ReadMemo
  /** Files for good, and in `staging` those on their way in. */
  blobs: BlobStore & { staging: Staging }
  log: Logger
  /** Threads that read what came from outside. */
  readers: { apps: AppReader; crashes: Symbolicator }
  /** Wakes the worker when there are jobs. */
  jobs: WakeUp
  /** Signs the links that the installer of a phone follows. */
  linkKey: Buffer
}

/** Opens everything the configuration names. What was opened is closed again when a later part fails. */
export async function openContext(config: Config): Promise<AppContext> {
  await mkdir(config.dataDir, { recursive: true })
  await using opened = new AsyncDisposableStack()
  const log = pino({ level: config.logLevel })
  if (config.databaseUrl === null) opened.adopt<FolderLock>(lockFolder(config.dataDir), (lock) => lock.release())
  const { db, memo } = await openDatabase(config)
  opened.defer(() => db.destroy())
  const staging = opened.use(await openStaging(join(config.dataDir, 'staging', stagingName(config))))
  const store = await openFileStore(join(config.dataDir, 'blobs'))
  const readers = { apps: opened.use(createAppReader()), crashes: opened.use(createSymbolicator()) }
  const linkKey = await openLinkKey(db)
  const closers = opened.move()
  return {
    config,
    db,
    memo,
    blobs: { ...store, staging },
    log,
    readers,
    jobs: new WakeUp(),
    linkKey,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Replicas that share a folder must not sweep each other's uploads away. */
function stagingName(config: Config): string {
  return config.databaseUrl === null ? 'only' : `port-${config.port}`
}
